"""A pretend table: the machine behind its serial line, the people around it, and the camera above it."""
