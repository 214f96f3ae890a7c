"""The benchmarks of `make bench`: each prints one line with its baseline. No figure fails a benchmark."""
