"""The language server: how questions come in over JSON-RPC, and how answers and news go out."""
