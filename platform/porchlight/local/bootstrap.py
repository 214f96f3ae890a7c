"""The entry of `make setup` and `make run`, run by path with whatever `python3` is.

Readable by Pythons far too old for the product: they get a sentence, not a SyntaxError. The work is in
installation.py beside this file.
"""

import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NEWER = ("python3.13", "python3.12", "python3.11", "python3.14")


def main():  # type: () -> None
    """Hand over to a Python that is new enough, or say that there is none."""
    # Python puts this folder first on its path; our files must never be taken for modules of the standard library.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != HERE]
    if sys.version_info >= (3, 11):  # noqa: UP036 - older ones do come here
        runpy.run_path(os.path.join(HERE, "installation.py"), run_name="__main__")
        return
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        for name in NEWER:
            program = os.path.join(folder, name)
            if os.access(program, os.X_OK) and os.system('"%s" -c "" 2>/dev/null' % program) == 0:  # noqa: S605, UP031
                os.execv(program, [program] + sys.argv)  # noqa: RUF005, S606
    found = ".".join(str(number) for number in sys.version_info[:2])
    sys.stderr.write("Porchlight needs Python 3.11 or newer and this is Python " + found + ": ")
    sys.stderr.write("install a newer one, or name it (make run PYTHON=/path/to/python3).\n")
    sys.exit(1)


if __name__ == "__main__":
    main()
