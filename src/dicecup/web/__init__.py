"""Dicecup in the browser and over the network."""
