"""Linters kept warm in processes of their own; nothing in the tree is run or obeyed."""
