"""Files: XML, index, robots.txt, text, gzip and the view in a browser."""
