"""One module per question: its answer in sentences, as JSON, and as marks on a board."""
