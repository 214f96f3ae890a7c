"""The numbers of the grid in SQL: those of Python, which tables store."""

from __future__ import annotations

import psycopg
import pytest

from porchlight.geo.grid import NOWHERE, cell_of, tile_of
from tests.fixtures.databases import Database

PLACES = [(39.7512, -104.9903), (-33.86, 151.2), (64.1, -21.9), (0.0, 0.0)]


@pytest.mark.parametrize("place", PLACES)
def test_tile_of_cell_in_sql_equals_python(database: Database, place: tuple[float, float]) -> None:
    cell = cell_of(*place)
    with psycopg.connect(database.superuser_url) as conn:
        assert conn.execute("SELECT app.tile_of(%s, %s)", cell).fetchone() == (tile_of(*cell),)


def test_tiles_around_have_the_tiles_of_near_cells(database: Database) -> None:
    lat, lon = cell_of(*PLACES[0])
    with psycopg.connect(database.superuser_url) as conn:
        rows = conn.execute("SELECT near_tile, steps FROM app.tiles_around(%s)", [tile_of(lat, lon)]).fetchall()
    expected = {(tile_of(lat + 25 * a, lon + 20 * b), abs(a) + abs(b)) for a in (-1, 0, 1) for b in (-1, 0, 1)}
    assert set(rows) == expected


@pytest.mark.parametrize(("rows", "reach"), [(None, 60), (2, 2)])
def test_tiles_beyond_are_all_others_in_reach(database: Database, rows: int | None, reach: int) -> None:
    lat, lon = cell_of(*PLACES[0])
    tile = tile_of(lat, lon)
    with psycopg.connect(database.superuser_url) as conn:
        ranges = conn.execute("SELECT above, below FROM app.tiles_beyond(%s, %s)", [tile, rows]).fetchall()
        around = {row[0] for row in conn.execute("SELECT near_tile FROM app.tiles_around(%s)", [tile]).fetchall()}
    found = [number for above, below in ranges for number in range(above + 1, min(below, 10**6))]
    assert NOWHERE in found or rows is not None
    assert len(found) == len(set(found))
    assert not around & set(found)
    expected = {tile_of(lat + 25 * a, lon + 20 * b) for a in range(-reach, reach + 1) for b in range(-60, 61)}
    assert expected <= around | set(found)


def test_tiles_beyond_without_rows_are_none(database: Database) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        assert (
            conn.execute("SELECT above FROM app.tiles_beyond(%s, 0)", [tile_of(*cell_of(*PLACES[0]))]).fetchall() == []
        )
