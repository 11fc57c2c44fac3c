"""The network, for the commands that a user starts to reach it; no build loads this package."""
