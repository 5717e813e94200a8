raise ImportError("msgspec is to be missing: see tests/without_natives")
