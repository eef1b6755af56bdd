"""The page in the browser: its server, its socket, and the answers to its questions."""
