"""Proctor's harness: plans, boxes, models, the agent loop, grading and run folders."""
