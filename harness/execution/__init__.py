"""Carrying a plan out: runner, scheduler, what is pending."""
