"""The analysis of Yam Master. Its values are probabilities to win."""
