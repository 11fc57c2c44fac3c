"""What every room uses: URLs, files, foreign text, the clock."""
