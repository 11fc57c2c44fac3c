"""What is written about each page: hints, images, news and videos."""
