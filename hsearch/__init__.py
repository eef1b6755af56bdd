"""What is true of a Hex position: virtual connections, circuits, explanations."""

__version__ = "0.1.0"
