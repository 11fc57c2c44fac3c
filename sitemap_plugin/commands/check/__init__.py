"""Read sitemaps back and judge them, alone or against the site that they list.

From the bytes of a file to findings:

``source``, ``decoding``     a file to UTF-8 text, whatever it is
``document``                 a file to batches of entries, by one of the readers
``reader``, ``shortcut``     XML, in general and in its usual shape
``vocabulary``               the elements and attributes that a sitemap may have
``lines``                    text sitemaps
``batch``                    what all readers yield
``locations``, ``values``, ``links``, ``media``   what is wrong with an entry
``listing``                  what is wrong with entries beside each other
``publication``              which URL is which file of the site
``pages``, ``crawling``      what is wrong with pages, and with robots.txt
``run``                      goes through a target
``findings``, ``codes``      what came out, and what can
``formats``                  findings as text, JSON, SARIF, annotations, and a page
``command``                  the command line
"""
