"""The tools that a model works with, and what runs beside them inside a box.

Standard library only: the package is shipped into boxes as one zip file.
"""
