"""Device memory and page-locked buffers as the thesis chooses them."""
