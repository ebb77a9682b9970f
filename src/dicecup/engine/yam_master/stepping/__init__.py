"""Many games of Yam Master side by side, played step by step by an agent for both sides.

- `games`: the games as arrays, and what an agent reads and sends as bytes and numbers.
- `step_kernel`: the steps.
"""
