"""One visible thing a file."""
