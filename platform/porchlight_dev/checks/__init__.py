"""`make check`, `make test`, `make ci`, `make bench`, `make drill`: run all tasks and report every failure."""
