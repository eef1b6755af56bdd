"""Answers as sentences and as JSON, shared by the command line and GTP; prints nothing."""
