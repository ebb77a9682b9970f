"""Faults of the storage as the host sees them: a log line with a sentence that says what to do, and
a metric. Clients only learn that the server cannot save."""

from collections.abc import Callable, Collection, Iterator

import structlog
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from dicecup.hosting.store.store_errors import FAULTS, StoreCode, StoreError
from dicecup.locale import DEFAULT_LANGUAGE, Messages
from dicecup.sentences import LONGEST_PATH, code_sentence, on_one_line

log = structlog.get_logger()


class FaultGauge(Collector):
    """Collector of `dicecup_storage_error`, which is 1 for each reason that there is now. `present`
    returns the codes."""

    def __init__(self, present: Callable[[], Collection[StoreCode]]) -> None:
        self._present = present

    def collect(self) -> Iterator[GaugeMetricFamily]:
        present = self._present()
        family = GaugeMetricFamily("dicecup_storage_error", "Faults of the storage, by reason", labels=["reason"])
        for code in sorted(FAULTS):
            family.add_metric([_reason(code)], float(code in present))
        yield family


def log_fault(error: StoreError | None) -> None:
    """Log a fault, or that writing works again (`None`)."""
    messages = Messages(DEFAULT_LANGUAGE)
    if error is None:
        log.warning("storage", status="ok", message=messages("storage_recovered"))
        return
    shown = {name: on_one_line(str(value), LONGEST_PATH) for name, value in error.details.items()}
    if error.code in (StoreCode.FULL, StoreCode.DOWN):  # clients get another sentence for these
        sentence = messages(f"storage_fault_{_reason(error.code)}", **shown)
    else:
        sentence = code_sentence(str(error.code), error.details, messages, LONGEST_PATH)
    log.error("storage", status=str(error.code), message=sentence, **shown)


def _reason(code: object) -> str:
    return str(code).removeprefix("storage-")
