"""Records and tables agree, and values survive the way between them."""

import math
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from db import tables
from db.engine import MemoryDatabase
from db.outcome import Outcome, Stage
from db.projections.results import Results
from db.projections.rows import CaseRecord, ResultRecord, RunRecord, columns, load, save, select

RECORDS = [RunRecord, CaseRecord, ResultRecord]
ANY_TEXT = st.text(st.characters(exclude_categories=()))
NUMBERS = st.floats() | st.none()


@pytest.mark.parametrize("cls", RECORDS, ids=lambda cls: cls.table)
def test_record_and_table_have_the_same_columns(cls):
    table = tables.metadata.tables[cls.table]
    assert columns(cls) == tuple(table.columns.keys())
    assert cls.key == tuple(column.name for column in table.primary_key)


def test_projection_names_its_tables():
    assert set(Results.tables) == {cls.table for cls in RECORDS}


@pytest.fixture(scope="module")
def database():
    database = MemoryDatabase()
    yield database
    database.close()


@given(data=st.data())
def test_values_come_back(database, data):
    draw = data.draw
    record = ResultRecord(
        1,
        2,
        draw(st.integers(1, 9)),
        final=draw(st.booleans()),
        outcome=draw(st.sampled_from(Outcome)),
        stage=draw(st.sampled_from(Stage)),
        message=draw(ANY_TEXT),
        node_id=draw(ANY_TEXT),
        seconds=draw(st.floats()),
        margin=draw(NUMBERS),
        worst_abs=draw(NUMBERS),
        signal=draw(st.none() | st.integers(-64, 64)),
    )
    save(database, ResultRecord, [record])
    (row,) = database.rows(select(ResultRecord, "attempt = ?"), (record.attempt,))
    assert repr(load(ResultRecord, row)) == repr(record)


@given(options=st.dictionaries(ANY_TEXT, st.floats() | ANY_TEXT | st.none()), missing=st.lists(ANY_TEXT))
def test_lists_and_dicts_come_back(database, options, missing):
    record = RunRecord(1, "r", options=options, missing=missing, outcomes={"pass": 3})
    save(database, RunRecord, [record])
    (row,) = database.rows(select(RunRecord, "run_key = 1"))
    assert repr(load(RunRecord, row)) == repr(record)


def test_a_number_that_no_column_holds_is_cut_rather_than_fatal(database):
    save(database, ResultRecord, [ResultRecord(5, 5, 1, mismatches=2**80, elements=-(2**80))])
    (row,) = database.rows(select(ResultRecord, "run_key = 5"))
    record = load(ResultRecord, row)
    assert (record.mismatches, record.elements) == (2**63 - 1, -(2**63 - 1))


def test_not_a_number_sorts_above_every_number(database):
    """As PostgreSQL has it; SQLite would store NULL."""
    save(database, ResultRecord, [ResultRecord(6, n, 1, margin=m) for n, m in enumerate([math.nan, math.inf, 1.0])])
    found = database.rows("SELECT case_key FROM results WHERE run_key = 6 ORDER BY margin DESC")
    assert found == [(0,), (1,), (2,)]


@pytest.mark.parametrize("column", ["outcome", "stage"])
def test_the_database_refuses_words_outside_the_enumeration(database, column):
    save(database, ResultRecord, [ResultRecord(7, 1, 1)])
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        database.execute(f"UPDATE results SET {column} = 'perhaps' WHERE run_key = 7")
