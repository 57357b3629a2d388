"""The camera room: pixels in, observations of the table out."""
