"""How a fresh clone becomes something to run: Python, Node, the client, a real VS Code, Chromium.

Standard library only: these modules run before anything is installed. (`binaries.py` asks two
libraries more, which `scanner.py` fetches first.) The demo and the tests share them. What is pinned
stands in ``versions.json``; big things land in one cache folder outside the checkout and are shared
by all clones of a user.
"""
