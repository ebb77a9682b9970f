"""What pytest does not collect: modules whose package comes with an extra that no tests install."""

from importlib.util import find_spec

TRAINED_WITH_TORCH = ["src/dicecup/vision/training/fitting.py", "src/dicecup/vision/training/train.py"]
collect_ignore = [] if find_spec("torch") else TRAINED_WITH_TORCH
