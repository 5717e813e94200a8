"""A session as one file to keep or to hand on: Markdown, HTML or JSON.

The three write the same rows in the same order, each whole; what is left out is told in numbers.
"""
