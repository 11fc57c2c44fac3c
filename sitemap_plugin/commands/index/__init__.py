"""One root index over the sitemaps of several builds that share a host.

``command``            ``sitemap-plugin index FOLDER``
``request``            what the user asks for
``run``                the steps, in their order
``gathering``          what may be listed, and what not
``discovery``          the sitemaps in a folder
``versions``           which of mike's versions are meant
``address``            where the folder is published
``naming``             the name of the index, and earlier ones
``builds``             the sitemap of one build, and whether it may be listed
``language_folders``   which folders hold which languages
``linking``            links between translations in different builds
``translation_keys``   keys of pages whose paths differ
``rewriting``          the sitemaps of the builds, written again with these links
``media``              images, articles and videos, written again as they were
``placing``            the index, put in place
``pruning``            sitemaps that no index can list
``outcome``            what there is to tell
"""

from sitemap_plugin.commands.index.outcome import Outcome
from sitemap_plugin.commands.index.request import Request
from sitemap_plugin.commands.index.run import write_root_index

__all__ = ["Outcome", "Request", "write_root_index"]
