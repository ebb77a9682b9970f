"""Whether own mistakes teach more than random questions: a simulated learner practises for 30 days.

Every day it plays a game of Yamm and one of Yam Master and answers questions: the portion of its
own mistakes, or as many random questions of the same games. What it loses in games that it never
sees is measured. `python -m bench.learning write` also writes `docs/images/learning.json` and draws
`docs/images/learning.svg`.
"""

import json
import sys
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any, Final

from bench._learner import LEARNED, Decision, Learner, bank, fitted, numbered
from dicecup.analysis.evaluation import Unit
from dicecup.analysis.mistakes.found import is_right, level_of, threshold
from dicecup.analysis.mistakes.portion import Card, portion
from dicecup.analysis.mistakes.schedule import Answered, due_day
from dicecup.engine.progress import bar

DAYS: Final = 30
SIZE: Final = 20
"""Questions a day."""
LEARNERS: Final = 20
FITTED: Final = 10
"""Learners of whom the mean loss on the first day is that of the level."""
TESTED: Final = 4
"""Games of each kind that measure the loss."""
GAMES: Final = {"yam-master": Unit.CHANCE, "yamm(players=1)": Unit.POINTS}
FIRST_DAY: Final = 20_000
FILE: Final = Path(__file__).parent.parent / "docs" / "images" / "learning.json"
Numbered = list[tuple[int, Decision]]


def main(words: list[str]) -> None:
    """Measure and print; with `write` also write the figures and the picture."""
    found = measured()
    if words == ["write"]:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        draw(found)
    for topic, games in found["loss"].items():
        for game, courses in games.items():
            for way, course in courses.items():
                first, last = course[0], course[-1]
                print(f"{topic}, {game}, {way}: {first[0]:.4f} ± {first[1]:.4f} → {last[0]:.4f} ± {last[1]:.4f}")


def measured() -> dict[str, Any]:
    """Return for each topic of learning, game and way to practise the mean loss of a decision on
    each day with half of its 95 % interval."""
    played, tested, asked, start = {}, {}, {}, 0
    for game in GAMES:
        all_games = list(numbered(bank(game, DAYS + TESTED + DAYS, "learning"), start))
        start = 1 + all_games[-1][-1][0]
        played[game], tested[game] = all_games[:DAYS], list(chain(*all_games[DAYS : DAYS + TESTED]))
        asked[game] = [one for one in chain(*all_games[DAYS + TESTED :]) if one[1].asked]
    found: dict[str, Any] = {}
    questions: dict[str, float] = {}
    with bar() as progress:
        for at, topic in enumerate(LEARNED):
            scale = {unit: fitted(tested[game], unit, topic, FITTED) for game, unit in GAMES.items()}
            asked_of_day = []
            courses: dict[str, dict[str, list[list[float]]]] = {game: {"mistakes": [], "random": []} for game in GAMES}
            for seed in range(LEARNERS):
                counts: list[list[str]] = []
                for way in ("mistakes", "random"):
                    days = practised(Learner(seed, scale, topic), played, tested, asked, counts)
                    for game in GAMES:
                        courses[game][way].append([day[game] for day in days])
                asked_of_day += [len(day) for day in counts]
                progress(at * LEARNERS + seed + 1, len(LEARNED) * LEARNERS)
            questions[topic] = fmean(asked_of_day)
            found[topic] = {game: {way: _means(own) for way, own in ways.items()} for game, ways in courses.items()}
    return {"loss": found, "questions": questions}


def practised(
    learner: Learner,
    played: dict[str, list[Numbered]],
    tested: dict[str, Numbered],
    asked: dict[str, Numbered],
    counts: list[list[str]],
) -> list[dict[str, float]]:
    """Return the mean loss of each game before the first day and after each day.

    `counts`: the games of the random questions of each day. If it is empty, the learner practises
    on its own mistakes, and the games of each day are added."""
    chance, ask_own = Random(len(counts)), not counts
    cards: dict[str, Card] = {}
    decisions: dict[str, tuple[int, Decision]] = {}
    answers: dict[str, list[Answered]] = {}
    lost: dict[str, list[tuple[int, Decision, float]]] = {game: [] for game in GAMES}
    found = [{game: learner.mean_loss(tested[game]) for game in GAMES}]
    for day in range(DAYS):
        for game, unit in GAMES.items():
            lost[game] += [(number, decision, learner.loss(decision, number)) for number, decision in played[game][day]]
            least = threshold(level_of(len(lost[game]), sum(loss for *_, loss in lost[game]), unit), unit)
            for number, decision, loss in lost[game]:
                if loss > least and str(number) not in cards:
                    cards[str(number)] = Card(str(number), game, decision.theme, unit, loss, None)
                    decisions[str(number)] = number, decision
        if ask_own:
            chosen = [(card.id, decisions[card.id]) for card in portion(cards.values(), FIRST_DAY + day, SIZE)]
            counts.append([decision.game for _, (_, decision) in chosen])
        else:
            chosen = [("", chance.choice(asked[game])) for game in counts[day]]
        for card, (number, decision) in chosen:
            loss = learner.loss(decision, number)
            learner.learn(decision, loss)
            if card:
                answers.setdefault(card, []).append(Answered(FIRST_DAY + day, is_right(loss, decision.unit)))
                cards[card] = cards[card]._replace(due=due_day(answers[card]))
        found.append({game: learner.mean_loss(tested[game]) for game in GAMES})
        learner.sleep()
    return found


def draw(found: dict[str, Any]) -> None:
    """Write the picture of the courses of learners who learn patterns."""
    from docs.plots.draw import BLUE, ORANGE, drawn

    games = {"yam-master": ("Yam Master", 100, "% of a win"), "yamm(players=1)": ("Yamm", 1, "points")}
    with drawn(FILE.with_suffix(".svg"), "Mean loss of a decision in 30 days of practice") as figure:
        figure.set_size_inches(9, 3.8)
        for axes, (game, (name, factor, unit)) in zip(figure.subplots(1, 2), games.items(), strict=True):
            for way, label, colour in (("random", "random questions", ORANGE), ("mistakes", "own mistakes, scheduled", BLUE)):
                means, halves = zip(*found["loss"]["pattern"][game][way], strict=True)
                low, high = (
                    [factor * (mean + sign * half) for mean, half in zip(means, halves, strict=True)] for sign in (-1, 1)
                )
                axes.fill_between(range(DAYS + 1), low, high, color=colour, alpha=0.2, linewidth=0)
                axes.plot(range(DAYS + 1), [factor * mean for mean in means], color=colour, label=label)
            axes.set(title=name, xlabel="days", ylabel=unit)
            axes.set_ylim(bottom=0)
            axes.grid(axis="y")
            axes.legend(loc="upper right")


def _means(courses: list[list[float]]) -> list[tuple[float, float]]:
    """Return the mean of each day over all learners, with half of its 95 % interval."""
    return [(fmean(day), 1.96 * stdev(day) / len(day) ** 0.5) for day in zip(*courses, strict=True)]


if __name__ == "__main__":
    main(sys.argv[1:])
