"""What each thread of a team has for itself: tables by the threads' numbers, and counters that parts share."""
