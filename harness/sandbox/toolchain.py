"""Toolchain (temporary)."""
def recipe_digest() -> str:
    return "dev"
def lint_fields(language: str):
    return {"cache_dir": "/tmp/proctor-cache", "python": "python3", "language": language}
