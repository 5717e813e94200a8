"""One line of bytes becomes one value: a record, or a malformed line that says why."""
