"""The network, for the commands that a user starts to reach it; no build loads this package.

``client.fetch(url, limit=...)`` is the one way to it, and ``options`` holds the flags.
"""
