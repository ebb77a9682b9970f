"""What decisions and throws were worth: the analysis of a position, the review of a game."""
