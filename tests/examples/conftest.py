"""Tests of the examples. Those of MaskablePPO need the group `baselines`."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("sb3_contrib") else ["test_ppo.py"]
