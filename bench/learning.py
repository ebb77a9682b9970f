"""Whether own mistakes teach more than random questions: a simulated learner practises for 30 days.

The plan was fixed before the first run of this measurement:

- A learner has games of its own. Every day it plays a game of Yamm and one of Yam Master, and it
  answers questions. What it loses is measured in held-out games of its own.
- The schedule asks the portion of its own mistakes. The control asks the same number of questions
  of each game every day: uniformly random decisions of the games that were played so far. Both have
  the same learner, games and held-out games.
- The result is the mean over the learners of the paired difference after 30 days (loss with the
  control − loss with the schedule) with its 95 % interval, for each game, where learning is of
  patterns. Everything else is secondary: learning of themes, the days before, and a control that
  draws only close decisions, as the trainer does (`difficulty_of`).

`python -m bench.learning write` also writes `docs/images/learning.json` and draws
`docs/images/learning.svg`.
"""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

from bench._learner import LEARNED, Decision, Learner, bank, fitted, numbered
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import is_right, level_of, threshold
from dicecup.analysis.mistakes.portion import Card, portion
from dicecup.analysis.mistakes.schedule import Answered, due_day
from dicecup.engine.progress import bar

DAYS: Final = 30
SIZE: Final = 20
"""Questions a day."""
LEARNERS: Final = 100
STUDENT: Final = 1.984
"""The 97.5 % quantile of Student's t distribution with `LEARNERS` − 1 degrees of freedom."""
TESTED: Final = 10
"""Held-out games of each kind that measure the loss of a learner."""
FITTED: Final = range(LEARNERS, LEARNERS + 10)
"""Seeds of the learners of whom the mean loss on the first day is that of the level, in `TESTED`
games that no other learner has."""
GAMES: Final = {"yam-master": Unit.CHANCE, "yamm(players=1)": Unit.POINTS}
SCHEDULE: Final = "mistakes"
CONTROLS: Final = ("random", "close")
FIRST_DAY: Final = 20_000
FILE: Final = Path(__file__).parent.parent / "docs" / "images" / "learning.json"
Numbered = list[tuple[int, Decision]]
Course = list[dict[str, float]]
"""The mean loss of each game before the first day and after each day."""


class Own(NamedTuple):
    """The games of a learner, by the name of the game: one for each day, and the decisions of the
    held-out ones."""

    played: dict[str, list[Numbered]]
    tested: dict[str, Numbered]


def main(words: list[str]) -> None:
    """Measure and print; with `write` also write the figures and the picture."""
    found = measured()
    if words == ["write"]:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        draw(found)
    for topic, games in found["loss"].items():
        for game, courses in games.items():
            for way, course in courses.items():
                print(f"{topic}, {game}, {way}: {_text(course[0])} → {_text(course[-1])}")
            for control, course in found["saved"][topic][game].items():
                print(f"{topic}, {game}, {control} − {SCHEDULE}: {_text(course[-1])}")


def measured() -> dict[str, Any]:
    """Return for each topic of learning and each game: the mean loss of a decision on each day by
    the way to practise, the mean paired difference to each control, both with half of their 95 %
    intervals, and the mean number of questions a day."""
    own = games_of(f"level of {LEARNERS}", 0)
    scales = {topic: {unit: fitted(own.tested[game], unit, topic, FITTED) for game, unit in GAMES.items()} for topic in LEARNED}
    courses: dict[str, dict[str, list[Course]]] = {topic: {way: [] for way in (SCHEDULE, *CONTROLS)} for topic in LEARNED}
    asked: dict[str, Counter[str]] = {topic: Counter() for topic in LEARNED}
    with bar() as progress:
        for seed in range(LEARNERS):
            own = games_of(str(seed), DAYS)
            for topic, ways in courses.items():
                course, counts = scheduled(Learner(seed, scales[topic], topic), own)
                ways[SCHEDULE].append(course)
                asked[topic].update(chain(*counts))
                for control in CONTROLS:
                    chance = Random(f"{control} {seed}")
                    learner = Learner(seed, scales[topic], topic)
                    ways[control].append(controlled(learner, own, counts, chance, close=control == "close"))
            progress(seed + 1, LEARNERS)
    return {
        "learners": LEARNERS,
        "loss": _by_topic_and_game(courses, (SCHEDULE, *CONTROLS), lambda ways, way: ways[way]),
        "saved": _by_topic_and_game(courses, CONTROLS, lambda ways, way: _differences(ways[way], ways[SCHEDULE])),
        "questions": {topic: {game: counted[game] / LEARNERS / DAYS for game in GAMES} for topic, counted in asked.items()},
    }


def games_of(seed: str, days: int) -> Own:
    """Return games for this many days and `TESTED` held-out ones of each kind."""
    played, tested, first = {}, {}, 0
    for game in GAMES:
        games = list(numbered(bank(game, days + TESTED, f"learning {seed}"), first))
        first = 1 + games[-1][-1][0]
        played[game], tested[game] = games[:days], list(chain(*games[days:]))
    return Own(played, tested)


def scheduled(learner: Learner, own: Own) -> tuple[Course, list[list[str]]]:
    """Return the course of a learner who practises on its own mistakes, and the games of the
    questions of each day."""
    cards: dict[str, Card] = {}
    decisions: dict[str, tuple[int, Decision]] = {}
    answers: dict[str, list[Answered]] = {}
    lost: dict[str, list[tuple[int, Decision, float]]] = {game: [] for game in GAMES}
    course, counts = [_loss(learner, own)], []
    for day in range(DAYS):
        for game, unit in GAMES.items():
            lost[game] += [(number, decision, learner.loss(decision, number)) for number, decision in own.played[game][day]]
            least = threshold(level_of(len(lost[game]), sum(loss for *_, loss in lost[game]), unit), unit)
            for number, decision, loss in lost[game]:
                if loss > least and str(number) not in cards:
                    cards[str(number)] = Card(str(number), game, decision.theme, unit, loss, None)
                    decisions[str(number)] = number, decision
        chosen = portion(cards.values(), FIRST_DAY + day, SIZE)
        for card in chosen:
            number, decision = decisions[card.id]
            loss = learner.loss(decision, number)
            learner.learn(decision, loss)
            answers.setdefault(card.id, []).append(Answered(FIRST_DAY + day, is_right(loss, decision.unit)))
            cards[card.id] = card._replace(due=due_day(answers[card.id]))
        counts.append([card.game for card in chosen])
        course.append(_loss(learner, own))
        learner.sleep()
    return course, counts


def controlled(learner: Learner, own: Own, counts: Sequence[Sequence[str]], chance: Random, *, close: bool) -> Course:
    """Return the course of a learner who answers random decisions of the games played so far.

    `counts`: the games of the questions of each day. `close`: only those that the trainer may
    ask."""
    course = [_loss(learner, own)]
    for day in range(DAYS):
        for game in counts[day]:
            played = chain(*own.played[game][: day + 1])
            number, decision = chance.choice([one for one in played if one[1].asked or not close])
            learner.learn(decision, learner.loss(decision, number))
        course.append(_loss(learner, own))
        learner.sleep()
    return course


def draw(found: dict[str, Any]) -> None:
    """Write the picture of the courses and of their differences where patterns are learned."""
    from docs.plots.draw import BLUE, ORANGE, drawn

    games = {"yamm(players=1)": ("Yamm", 1, "points"), "yam-master": ("Yam Master", 100, "% of a win")}
    with drawn(FILE.with_suffix(".svg"), "Mean loss of a decision in 30 days of practice") as figure:
        figure.set_size_inches(7, 5.6)
        for column, (game, (name, factor, unit)) in zip(figure.subplots(2, 2, sharex=True).T, games.items(), strict=True):
            losses, saved = found["loss"]["pattern"][game], found["saved"]["pattern"][game]
            for axes, course, label, colour in (
                (column[0], losses["random"], "random decisions", ORANGE),
                (column[0], losses[SCHEDULE], "own mistakes, scheduled", BLUE),
                (column[1], saved["random"], "saved by the schedule", BLUE),
            ):
                means, halves = zip(*course, strict=True)
                low, high = (
                    [factor * (mean + sign * half) for mean, half in zip(means, halves, strict=True)] for sign in (-1, 1)
                )
                axes.fill_between(range(DAYS + 1), low, high, color=colour, alpha=0.2, linewidth=0)
                axes.plot(range(DAYS + 1), [factor * mean for mean in means], color=colour, label=label)
            column[0].set(title=name, ylabel=unit)
            column[0].set_ylim(bottom=0)
            column[1].set(xlabel="days", ylabel=unit)
            for axes in column:
                axes.grid(axis="y")
                axes.legend(loc="best")


def _loss(learner: Learner, own: Own) -> dict[str, float]:
    return {game: learner.mean_loss(own.tested[game]) for game in GAMES}


def _differences(courses: list[Course], others: list[Course]) -> list[Course]:
    """Return the first courses minus the second ones, learner by learner."""
    return [
        [{game: day[game] - against[game] for game in GAMES} for day, against in zip(course, other, strict=True)]
        for course, other in zip(courses, others, strict=True)
    ]


def _by_topic_and_game(courses: Any, names: Sequence[str], of_way: Any) -> dict[str, Any]:
    """Return topic → game → name → the means of each day of the courses that `of_way` returns."""
    return {
        topic: {
            game: {name: _means([[day[game] for day in one] for one in of_way(ways, name)]) for name in names} for game in GAMES
        }
        for topic, ways in courses.items()
    }


def _means(courses: list[list[float]]) -> list[tuple[float, float]]:
    """Return the mean of each day over all learners, with half of its 95 % interval."""
    return [(fmean(day), STUDENT * stdev(day) / len(day) ** 0.5) for day in zip(*courses, strict=True)]


def _text(mean: tuple[float, float]) -> str:
    return f"{mean[0]:.4f} ± {mean[1]:.4f}"


if __name__ == "__main__":
    main(sys.argv[1:])
