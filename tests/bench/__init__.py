"""The benchmarks of `make bench`: each prints one line beside its floor and fails for no figure."""
