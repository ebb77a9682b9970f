"""The training of Yamm's evaluation by self-play.

- `train`: rounds of games and of steps of the weights, and the variance that is learned afterwards.
- `openings_kernel`: the partly written sheets that training games begin with.
- `fit_kernel`: the targets of the sheets of a batch, and the steps of the weights towards them.
- `checkpoint`: an interrupted training as a file.
"""
