"""Rewrites of a loop that need facts about it, as interchange and fusion; a changed loop's facts are gathered again."""
