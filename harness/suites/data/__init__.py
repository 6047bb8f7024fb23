"""Loading the data of single-shot suites: from the hub or from a user's own files."""
