"""Answers over HTTP about ratings."""

from typing import Literal

from dicecup.web.messages import Outgoing


class Rating(Outgoing):
    """A rating with its `deviation` (one standard deviation). A new player has 1500 ± 350. A
    `provisional` one is not known well enough to be compared."""

    rating: float
    deviation: float
    provisional: bool


class RatingPoint(Outgoing):
    """A rating after a game that ended at `time`, in seconds since 1970."""

    time: float
    rating: float


class RatingPool(Outgoing):
    """A pool of rated games: the name of the game, the `kind` of its dice, who plays (`form`), and
    how fast (`pace`). `pool` is its name, as in `yamm:open:duel:fast`."""

    pool: str
    game: str
    kind: Literal["open", "duplicate"]
    form: Literal["duel", "group", "pairs"]
    pace: Literal["fast", "slow"]


class PersonRating(Outgoing):
    """The rating of a person in a pool after so many `games`, and after each of the newest ones,
    the last one last."""

    pool: RatingPool
    rating: Rating
    games: int
    history: list[RatingPoint]


class PersonAccuracy(Outgoing):
    """The mean `loss` of `decisions` in the newest rated games of a `game`, in a `unit`. `half`:
    half of its 95 % interval. `loss` is null before the first review, `half` for fewer than three
    games. `waiting`: games that are being reviewed."""

    game: str
    loss: float | None
    half: float | None
    decisions: int
    games: int
    unit: Literal["points", "chance"] | None
    waiting: int


class PersonRatings(Outgoing):
    """All ratings of a person, and the accuracy in each game that they are in."""

    ratings: list[PersonRating]
    accuracy: list[PersonAccuracy]


class RankedPerson(Outgoing):
    """A person on a leaderboard. The profile is at `/people/HANDLE`."""

    handle: str
    rating: Rating
    games: int


class RatedLevel(Outgoing):
    """A level of the computer with its fixed rating, measured in games of the levels against each
    other."""

    level: str
    rating: float


class Leaderboard(Outgoing):
    """The people with the highest ratings in a pool who have public accounts, and the levels of the
    computer. `you`: your own rating, null without one."""

    pool: RatingPool
    people: list[RankedPerson]
    levels: list[RatedLevel]
    you: Rating | None


class Pools(Outgoing):
    """The pools of all games in which a person has a rating."""

    pools: list[RatingPool]


class RatedSeat(Outgoing):
    """The rating of who sits on a seat. `change`: what this game changed, null until it is rated.
    `share`: the part of the change that counted, less than 1 after many games of the same people on
    one day."""

    seat: int
    rating: Rating
    change: float | None
    share: float | None


class RatedTable(Outgoing):
    """The ratings at a rated table.

    `state`: `playing`; `in-event` until the other games of a pair of duels or of a table of four,
    which are rated together, are over; `waiting` until the game is rated; `counted`; or
    `not-counted` for the reason in `refusal`. A seat that nobody has taken is missing.
    """

    pool: RatingPool
    state: Literal["playing", "in-event", "waiting", "counted", "not-counted"]
    refusal: Literal["too-short", "on-device", "same-person", "closed", "unmeasured", "cancelled", "restored"] | None
    seats: list[RatedSeat]
