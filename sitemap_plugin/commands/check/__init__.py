"""Judge sitemaps, alone, in the folder of their site, or as they are published.

``site``                          what a check asks of a site
``folder``, ``published_site``    a file or a folder; a site on a server
``judge``, ``sitemaps``           the course of a check; file by file
``values``, ``media``, ``pages``  what is wrong with an entry and with the page behind it
``findings``, ``formats``         what came out, and how it is written
``command``                       what the command line takes
"""
