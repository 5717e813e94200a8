"""Forkpoint: reads what coding agents leave on disk and answers an editor's questions about it."""

from forkpoint.stand_ins import stand_in

__version__ = "0.1.0"

stand_in()
