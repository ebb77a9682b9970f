"""The guided first game of Yamm: columns, values, bonus, High and Low, correction, strike, and how
a game ends."""

from typing import Final

from dicecup.table.guides.guide import Does, Guide, Scene, Step

_FIRST_TURN: Final = Scene(
    "",
    (
        Step("sheet", "sheet"),
        Step("throw", "main", Does.THROW, dice="23556"),
        Step("down", "cell d1.1"),
        Step("up", "cell u1.Y"),
        Step("free", "column f1"),
        Step("keep", "die 5", Does.CHOOSE, "k55"),
        Step("again", "main", Does.ACT, "k55", dice="25556"),
        Step("more", "die 5", Does.ACT, "k555", dice="15555"),
        Step("write", "cell f1.5", Does.ACT, "f1.5", values={"points": "effect f1.5 points"}),
        Step(
            "bonus",
            "sum f1",
            values={"missing": "sheets 0 next_bonus f1 missing", "bonus": "sheets 0 next_bonus f1 bonus"},
        ),
        Step("why", "sum f1"),
    ),
)
_LATER: Final = Scene(
    "3,6,9,12,15,18,24,.4/.11/.11/.11/.11/.11/.1,6,9,12,20,12,26,.4/.11/.11~d1.T=3:11225 0:????? 15",
    (
        Step("later", "main", Does.THROW, dice="15566"),
        Step("pairs", "die 5 6", Does.ACT, "k5566", dice="55566"),
        Step("high", "cell f1.T", values={"high": "sheets 0 columns f1 H", "sum": "effect f2.T points"}),
        Step("house", "cell f1.FH", Does.ACT, "f1.FH", values={"points": "effect f1.FH points"}),
        Step("wet", "cell f1.FH", Does.MOVE),
        Step("move", "cell d1.FH", Does.ACT, "15. > d1.FH"),
        Step("ones", "main", Does.THROW, dice="11346", values={"missing": "sheets 0 next_bonus f1 missing"}),
        Step("fill", "cell f1.1", Does.ACT, "f1.1", values={"points": "effect f1.1 points", "bonus": "effect f1.1 bonus"}),
        Step("reached", "sum f1", values={"sum": "sheets 0 upper f1", "bonus": "sheets 0 bonus f1"}),
        Step("straight", "main", Does.THROW, dice="12346"),
        Step("need", "die 1 2 3 4", Does.ACT, "k1234", dice="12344"),
        Step("last", "main", Does.ACT, "k1234", dice="11234"),
        Step("strike", "cell u1.Y", Does.ACT, "u1.Y"),
        Step("opened", "cell u1.ST"),
        Step("end", "total"),
    ),
)
GUIDE: Final = Guide("yamm(players=1)", "yamm", (_FIRST_TURN, _LATER))
