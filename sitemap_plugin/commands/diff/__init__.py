"""Tell in what two sitemaps differ.

``states``     one file, or a report, to what it says about each address
``targets``    a file, a folder or a URL to the sitemaps that are meant
``compare``    two targets to their differences
``formats``    differences as text, JSON and a list of addresses
``command``    the command line
"""
