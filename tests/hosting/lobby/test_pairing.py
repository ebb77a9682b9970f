"""Laws of pairing: nobody twice, only people of one pool, nobody who is blocked, in the order of
the queue."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dicecup.hosting.lobby.pairing import PATIENCE, Seek, pairs

NOW = 1000.0
SEEK = Seek(1, "anna", "a1", "yamm ", "yamm", None, "Anna", NOW, "w", "waiting", NOW, None)
queues = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from(["yamm", "yamm(pairs=yes)"]), st.booleans(), st.floats(NOW - 20, NOW)),
    max_size=12,
).map(
    lambda drawn: [
        SEEK._replace(number=number, identity=f"p{number}", pool=pool, game=game, rated=rated, since=since)
        for number, (pool, game, rated, since) in enumerate(drawn, 1)
    ]
)
blocked = st.sets(st.frozensets(st.integers(1, 12).map("p{}".format), min_size=2, max_size=2))


def wishes(seek: Seek) -> tuple[str, bool]:
    return seek.game, seek.rated


@given(queues, blocked)
def test_pairs_are_of_one_pool_and_of_people_who_may_meet_and_nobody_is_in_two(
    queue: list[Seek], apart: set[frozenset[str]]
) -> None:
    found = pairs(queue, lambda one, other: frozenset((one, other)) in apart, NOW)
    paired = [seek.identity for pair in found for seek in pair]
    assert len(paired) == len(set(paired))
    for first, second in found:
        assert first.pool == second.pool
        assert first.number < second.number
        assert frozenset((first.identity, second.identity)) not in apart
        assert wishes(first) == wishes(second) or NOW - first.since >= PATIENCE


@given(queues, blocked)
def test_nobody_waits_who_could_be_paired(queue: list[Seek], apart: set[frozenset[str]]) -> None:
    found = pairs(queue, lambda one, other: frozenset((one, other)) in apart, NOW)
    paired = {seek.identity for pair in found for seek in pair}
    for one, other in combinations([seek for seek in queue if seek.identity not in paired], 2):
        may_meet = one.pool == other.pool and frozenset((one.identity, other.identity)) not in apart
        assert not may_meet or (wishes(one) != wishes(other) and NOW - one.since < PATIENCE)


@given(queues, st.integers(0, 12))
def test_seeks_without_a_number_are_the_last_ones(queue: list[Seek], numbered: int) -> None:
    new = [seek._replace(number=0) for seek in queue[numbered:]]

    def paired(seeks: list[Seek]) -> list[tuple[str, str]]:
        return [(first.identity, second.identity) for first, second in pairs(seeks, lambda *_: False, NOW)]

    assert paired(new + queue[:numbered]) == paired(queue)


def test_the_same_options_come_before_a_longer_wait_of_the_opponent() -> None:
    old = SEEK._replace(since=NOW - PATIENCE)
    other, same = (SEEK._replace(number=n, identity=f"p{n}", game=g) for n, g in ((2, "yamm(pairs=yes)"), (3, "yamm")))
    assert pairs([old, other, same], lambda *_: False, NOW) == [(old, same)]
    assert pairs([old, other], lambda *_: False, NOW) == [(old, other)]
    assert pairs([old, other], lambda *_: False, NOW - 0.1) == []
