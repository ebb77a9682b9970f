"""The training of Yam Master's evaluation by self-play.

- `self_play`: games side by side, and a step of the weights after every turn.
- `gradient_kernel`: the gradient of one batch of states.
- `train`: the command `dicecup train yam-master`, with checkpoints and the measured strength.
"""
