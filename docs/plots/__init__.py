"""Pictures and tables of docs/analysis.md. `python -m docs.plots` measures, draws, and updates
them."""
