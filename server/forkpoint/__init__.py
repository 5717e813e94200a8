"""Forkpoint: reads what coding agents leave on disk and answers an editor's questions about it."""

__version__ = "0.1.0"
