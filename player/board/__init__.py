"""The analysis board in the browser: a server on loopback, one socket, and the page it serves."""
