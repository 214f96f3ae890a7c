"""Reading calendar files, which anyone may have written, in a process of its own. Imports nothing of the product."""
