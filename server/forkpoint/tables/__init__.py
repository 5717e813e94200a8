"""All sessions as tables, for engines that query many machines' histories at once.

What the tables hold are the answers of `forkpoint call`, a row each; nothing is counted anew here.
"""
