"""Commands of `dealer`, one file each. They compose the rooms and hold no domain logic."""
