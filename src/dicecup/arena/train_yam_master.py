"""Trains Yam Master's evaluations (`dicecup train yam-master`)."""

from dicecup.engine.yam_master.training.train import train

__all__ = ["train"]
