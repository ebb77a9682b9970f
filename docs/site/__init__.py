"""The docs site: the pages of docs/, the rules, and the API reference as static pages in three
languages. `python -m docs.site` builds them (docs/decisions/0048)."""
