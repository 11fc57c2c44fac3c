"""Announce to search engines what has changed, by the protocol IndexNow; never part of a build.

``urls``       which addresses are to be announced
``key``        the key, where its file is, and which addresses it may announce
``record``     what was announced in the last ten minutes
``announce``   the requests, and what the answers mean
``formats``    what was done, as text and as JSON
``command``    the command line
"""
