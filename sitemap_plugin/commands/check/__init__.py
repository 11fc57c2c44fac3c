"""Judge sitemaps, alone, in the folder of their site, or as they are published.

``run``, ``published_site``     check a file or a folder; check a URL
``folder``, ``published_folder``  a built site: its files and their addresses
``sitemaps``                    goes through sitemaps and indexes, each once
``values``, ``media``           what is wrong with an entry by itself
``listing``                     what is wrong with entries beside each other
``pages``                       what is wrong with the pages behind addresses
``robots_lines``                what robots.txt says of the sitemaps
``findings``, ``formats``       what came out, and how it is written
``command``                     the command line
"""
