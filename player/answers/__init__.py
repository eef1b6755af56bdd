"""One module a question: the answer as sentences, as JSON, and as marks on a board."""
