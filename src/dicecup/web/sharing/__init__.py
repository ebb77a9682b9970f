"""Links to finished games, positions and results: their previews, pictures and frames."""
