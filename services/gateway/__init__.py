"""The web page and the browser's door."""
