"""The page in the browser: a server on loopback, one socket, and the page's files."""
