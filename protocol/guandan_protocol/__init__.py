"""Typed messages and their bytes: what clients and server say to each other."""
