raise ImportError("orjson is to be missing: see tests/without_natives")
