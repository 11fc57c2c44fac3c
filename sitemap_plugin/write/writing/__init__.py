"""How the writer works, from one entry to a folder that is whole at every instant.

``validity``     what may stand in a sitemap, value by value
``cleaning``     an entry without what may not
``escaping``     text for XML, many URLs at once
``timestamps``   the form of ``lastmod``
``extensions``   links and images, and where further kinds of elements are added
``articles``     news
``videos``       videos
``render``       entries to text, a batch at a time
``documents``    the frames of a urlset and of an index
``twins``        a file and its gzipped twin
``parts``        batches to files within the limits
``predecessor``  what earlier builds left in the folder
``placement``    the change from the sitemap before to the new one
"""
