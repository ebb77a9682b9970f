"""Competition over HTTP."""
