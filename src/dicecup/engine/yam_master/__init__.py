"""Yam Master for the engine: packed positions (`rules`), exact solutions (`exact`), the trained
evaluation (`evaluation`) and its training (`training`).
"""
