#!/usr/bin/env bash
# SQLAlchemy 2.1.9 writes an open slice of a PostgreSQL array, column[2:], as column[2:NULL], which is NULL.
#
# PostgreSQL takes a missing bound as the end of the array, and a NULL bound as unknown: the result is NULL, not the rest.
# So an UPDATE that drops the first element by such a slice empties the column without an error. Seen: the word NULL as
# the bound. Give the upper bound. The script fails when the slice is written without a bound.
set -euo pipefail
cd "$(mktemp -d)"
python3 -m venv env
env/bin/pip install --quiet sqlalchemy==2.1.9
env/bin/python - <<'PYTHON'
import sys
from sqlalchemy import Column, Integer, MetaData, Table, select
from sqlalchemy.dialects import postgresql

posts = Table("posts", MetaData(), Column("old_slugs", postgresql.ARRAY(Integer)))
statement = select(posts.c.old_slugs[2:]).compile(dialect=postgresql.dialect())
print(str(statement).split("\n")[0], statement.params)
if ":NULL]" not in str(statement):
    sys.exit("changed")
PYTHON
