raise ImportError("watchfiles is to be missing: see tests/without_natives")
