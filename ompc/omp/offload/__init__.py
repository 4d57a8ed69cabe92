"""Target regions and teams: which loop is their work, what they copy, what runs alone, beside others, or in order."""
