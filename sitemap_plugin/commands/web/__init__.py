"""The network, for the commands that a user starts to reach it; no build loads this package.

``exchange``     one request and its answer, bounded in time and size
``patience``     asks again where that may help, and waits as long as the server says
``politeness``   what robots.txt allows
``fetch``        a file from a URL
"""
