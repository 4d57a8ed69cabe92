"""What stays on the device between launches, and what crosses."""
