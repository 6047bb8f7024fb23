"""Boxes: real containers in which model-written code runs, or a refusal."""
