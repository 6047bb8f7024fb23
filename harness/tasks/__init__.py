"""Tasks on repositories: loading, evidence, validation."""
