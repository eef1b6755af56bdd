"""Files that the program keeps: written whole or line by line, read strictly.

All that is written passes through `whole` and `lines`, so that a kill or a full
disk leaves what was there before; what is read again passes through `strict`,
JSON without NaN and infinity, and `arrays`, numpy's files without pickles.
`tests/support/kept_files.py` lists every such format.
"""
