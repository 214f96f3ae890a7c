"""Development tools: the one-machine product, its setup, and the test runners. Not part of the wheel.

`setup/` runs before anything is installed, so this file and that folder use the standard library alone.
"""
