"""The entry point of `make setup` and `make run`, run by path with the system's `python3`.

The syntax is valid for much older Pythons than the product supports, so that they print a sentence instead of a
SyntaxError. The work is in install.py.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SUPPORTED = ("python3.13", "python3.12", "python3.11", "python3.14")


def main():  # type: () -> None
    """Run the setup with a supported Python, or say that there is none."""
    if sys.version_info >= (3, 11):  # noqa: UP036 - older ones do run this file
        # Python puts this folder first on its path; the package is imported by its full name instead.
        sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
        sys.path.insert(0, os.path.dirname(os.path.dirname(HERE)))
        from porchlight_dev.setup.install import main as install

        sys.exit(install())
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in SUPPORTED:
            program = os.path.join(folder, name)
            if os.access(program, os.X_OK) and os.system('"%s" -c "" 2>/dev/null' % program) == 0:  # noqa: S605, UP031
                os.execv(program, [program] + sys.argv)  # noqa: RUF005, S606
    version = ".".join(str(number) for number in sys.version_info[:2])
    sys.stderr.write("Porchlight needs Python 3.11 or newer, and this is Python " + version + ": ")
    sys.stderr.write("install a newer Python, or name it (make run PYTHON=/path/to/python3).\n")
    sys.exit(1)


if __name__ == "__main__":
    main()
