"""The pictures and tables of docs/analysis.md: `python -m docs.plots` measures, draws, and writes the tables into the page."""
