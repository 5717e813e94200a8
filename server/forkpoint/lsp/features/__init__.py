"""What answers a question, one module each: from the catalog and typed parameters to a wire value.

No feature knows the transport. `forkpoint.lsp.handlers` is the table of them all.
"""
