"""Judge sitemaps, alone, in the folder of their site, or as they are published.

``site``                        what a check asks of a site; ``judge`` is its course
``folder``, ``published_site``  a file or a folder; a site on a server
``sitemaps``, ``listing``       file by file; all entries beside each other
``values``, ``media``, ``pages``  what is wrong with an entry and with the page behind it
``findings``, ``formats``       what came out, and how it is written
``command``                     what the command line takes
"""
