"""Environments for learning agents (`pip install 'dicecup[envs]'`, docs/environments.md).

Importing this package registers `Dicecup/Yamm-v0` and `Dicecup/YamMaster-v0` with Gymnasium, and
for batches of games `Dicecup/YamMasterBothSides-v0`.
`dicecup.envs.pettingzoo` has both games for PettingZoo, `dicecup.envs.openspiel` registers them
with OpenSpiel.

- `process`: a game as chance nodes, decisions and corrections. `encoding`, `yam_master`, `yamm`:
  actions as indexes, positions as bytes. `rewards`: result, points, luck. `episode`: one game.
- `gymnasium`, `pettingzoo`, `openspiel`: the adapters. `batches`: thousands of games side by side.

Raises `MissingPackageError` where Gymnasium is not installed.
"""

from dicecup.envs.errors import MissingPackageError

try:
    from gymnasium import register
except ImportError:
    raise MissingPackageError(package="gymnasium") from None

register(
    "Dicecup/Yamm-v0",
    entry_point="dicecup.envs.gymnasium:YammEnv",
    vector_entry_point="dicecup.envs.batches:YammBatch",
)
register("Dicecup/YamMaster-v0", entry_point="dicecup.envs.gymnasium:YamMasterEnv")
register("Dicecup/YamMasterBothSides-v0", vector_entry_point="dicecup.envs.batches:YamMasterBatch")
