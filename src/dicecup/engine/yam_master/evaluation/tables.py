"""The files with the trained evaluations that the players use (`engine.tables_file`)."""

from typing import Final

from dicecup.yam_master import End, Options, YamMaster

KIND: Final = "yam-master"
DEFAULT_END: Final = YamMaster()
FULL_ROUND: Final = YamMaster(Options(end=End.FULL_ROUND))
FILES: Final = {DEFAULT_END: "yam-master.tables", FULL_ROUND: "yam-master-full-round.tables"}
"""The games that an evaluation is trained for, and their files. The second begins with the weights
of the first.
"""
