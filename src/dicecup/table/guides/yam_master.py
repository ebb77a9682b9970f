"""The guided first game of Yam Master: figures, Sec, Défi, lines, Predator, and how a game ends."""

from typing import Final

from dicecup.table.guides.guide import Does, Guide, Scene, Step

_FIRST_TURNS: Final = Scene(
    "",
    (
        Step("board", "board"),
        Step("goal", "board"),
        Step("throw", "main", Does.THROW, dice="12446"),
        Step("keep", "die 4", Does.CHOOSE, "k44"),
        Step("again", "main", Does.ACT, "k44", dice="34446"),
        Step(
            "figure",
            "square d1",
            Does.ACT,
            "d1",
            replies=(("throw", "12266"), ("k2266", "22666"), ("d2", "")),
        ),
        Step("full", "square d2"),
        Step("turn", "main", Does.THROW, dice="12345"),
        Step("big", "dice"),
        Step(
            "sec",
            "square c2",
            Does.ACT,
            "c2",
            replies=(("throw", "13556"), ("k55", "25566"), ("k5566", "45566"), ("--", "")),
        ),
        Step("nothing", "dice"),
    ),
)
_DEFI: Final = Scene(
    "1x1x1/2xo1/5/o4/4o x 0:????? 9-9 9",
    (
        Step("later", "main", Does.THROW, dice="13355"),
        Step("pairs", "die 3 5", Does.CHOOSE, "k3355"),
        Step("defi", "defi", Does.CHOOSE, "!k3355"),
        Step("risk", "main", Does.ACT, "!k3355", dice="33355"),
        Step(
            "won",
            "square c1",
            Does.ACT,
            "c1",
            replies=(("throw", "13336"), ("k333", "23336"), ("a5", "")),
        ),
        Step("line", "line c1", values={"points": "board points x"}),
        Step("tokens", "score", values={"left": "board supplies x"}),
    ),
)
_PREDATOR: Final = Scene(
    "1xxxx/o1xo1/o3x/o4/o3o x 0:????? 6-6 15",
    (
        Step("danger", "square a1"),
        Step("hurry", "main", Does.THROW, dice="25555"),
        Step("four", "die 5", Does.ACT, "k5555", dice="55555"),
        Step(
            "predator",
            "square a3",
            Does.ACT,
            "-a3",
            replies=(("throw", "12446"), ("k44", "13446"), ("k44", "23446"), ("--", "")),
        ),
        Step("safe", "main", Does.THROW, dice="11135"),
        Step("win", "square a1", Does.ACT, "a1"),
        Step("over", "line a1"),
    ),
)
GUIDE: Final = Guide("yam-master", "ym", (_FIRST_TURNS, _DEFI, _PREDATOR))
