"""The analysis of Yamm. Its values are points of a sheet or probabilities to win."""
