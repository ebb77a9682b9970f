"""Many games of one sheet of Yamm side by side, played step by step by an agent.

- `games`: the games as arrays, and what an agent reads and sends as bytes and numbers.
- `step_kernel`: the steps.
"""
