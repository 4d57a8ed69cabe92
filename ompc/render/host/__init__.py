"""The user's own text: edited, compared with what it was before the edits, or copied through."""
