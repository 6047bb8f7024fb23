"""Programs that a box runs as children: configuration on descriptor 3, result lines on 4."""
