"""What `ompc cc` makes: objects with device code, what they remember of their sources, and their link."""
