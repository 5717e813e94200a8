"""What is raised, and the two values that stand for something else."""

from __future__ import annotations

from enum import Enum


class MsgspecError(ValueError):
    """What is read is not what is asked for."""


class DecodeError(MsgspecError):
    """These bytes are not of the format."""


class ValidationError(DecodeError):
    """They are, but their value is of another type."""


class UnsetType(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"


UNSET = UnsetType.UNSET
"""The default of a field that says whether it was there at all."""


class Raw(bytes):
    """The bytes of a value that is not decoded yet."""
