"""Trains Yam Master's evaluations (`dicecup train yam-master`)."""

from dicecup.engine.yam_master_play.train import train

__all__ = ["train"]
