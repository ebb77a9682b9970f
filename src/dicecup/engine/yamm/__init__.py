"""Yamm for the engine: the trained evaluation of a sheet (`evaluation`), its training (`training`)
and the proof of an upper bound on the mean total (`bound`).
"""
