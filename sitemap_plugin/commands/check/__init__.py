"""Judge sitemaps, alone, in the folder of their site, or as they are published.

``run``, ``published``          check a file or a folder; check a URL
``folder``, ``publication``     a built site: its files and their addresses
``sitemaps``                    goes through sitemaps and indexes, each once
``values``, ``media``           what is wrong with an entry by itself
``listing``                     what is wrong with entries beside each other
``pages``, ``llms``             what is wrong with the pages behind addresses
``sitemap_lines``               what robots.txt says of the sitemaps
``findings``, ``codes``         what came out, and what can
``formats``                     findings as text, JSON, SARIF, annotations, and a page
``command``                     the command line
"""
