"""The box's server: it starts, limits, counts and removes what runs beside it."""
