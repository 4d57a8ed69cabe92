"""What a program must print, and whether it does: for those who run it again and again (tune, bisect)."""
