"""Setup of a checkout: Python environment, packages, web builds. Standard library only."""
