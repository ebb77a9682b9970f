"""What is compiled at set-up."""

from dicecup.analysis import warm


def test_everything_that_set_up_calls_runs() -> None:
    warm.warm()
