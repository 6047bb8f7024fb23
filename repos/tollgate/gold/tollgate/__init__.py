"""Tollgate: quotas, rate limits and usage billing as a library."""

from tollgate.clock import ManualClock
from tollgate.config import load
from tollgate.service import Tollgate

__all__ = ["ManualClock", "Tollgate", "load"]
