"""What a device can run: the code a loop reaches, and what it uses of the C library, function pointers and exits."""
