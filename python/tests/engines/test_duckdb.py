# SPDX-License-Identifier: MIT OR Apache-2.0
"""DuckDB: the tables equal the tables of the program, and the functions agree with the package.

python3 -m unittest discover -s python/tests/engines -p test_duckdb.py
"""

import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import time
import unittest
import weakref

import duckdb
import fsspec
import pyarrow as pa
import wiresum
from archives import (
    ROOT,
    SPLIT,
    ArchiveTest,
    beside_examples,
    captures,
    counted,
    dictionaries,
    documented,
    lines,
    many,
    printed,
    program_counted,
    program_counts,
    program_lines,
)

duckdb_engine = wiresum.duckdb


LOADED = []


def load():
    LOADED.append(1)


class Forged:
    """An object that shows when it is loaded from a pickle."""

    def __reduce__(self):
        return load, ()


class DuckDB(ArchiveTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.errors = program_counts(cls.archive)[1]

    def setUp(self):
        self.split = duckdb_engine.SPLIT
        self.addCleanup(setattr, duckdb_engine, "SPLIT", self.split)
        duckdb_engine.SPLIT = SPLIT
        self.con = duckdb.connect()
        self.addCleanup(self.con.close)
        duckdb_engine.install(self.con, threads=3)

    def rows(self, query):
        return dictionaries(self.con.sql(query).to_arrow_table())

    def test_the_rows_are_those_of_the_program(self):
        self.assertGreater(len(self.expected), 4000)
        self.assertEqual(lines(self.rows(f"from wiresum_verify('{self.archive}')")), self.expected)
        glob = f"{self.archive}/**/*.pcap*"
        self.assertEqual(lines(self.rows(f"from wiresum_verify('{glob}')")), self.expected)
        names = captures()
        listed = ", ".join(f"'{name}'" for name in names)
        self.assertEqual(
            lines(self.rows(f"from wiresum_verify([{listed}])")), program_lines(*names)
        )

    def test_counts_and_problems(self):
        found = counted(self.rows(f"from wiresum_counts('{self.archive}')"))
        self.assertEqual(found, program_counted(self.archive))
        self.assertEqual(len(self.errors), 2)
        problems = self.rows(f"from wiresum_problems('{self.archive}')")
        self.assertEqual({row["file"]: row["error"] for row in problems}, self.errors)

    def test_the_query_of_the_documentation(self):
        found = self.con.sql(
            "select protocol, status, cause, count(*) "
            f"from wiresum_verify('{ROOT}/examples/*.pcap*') group by all"
        ).fetchall()
        total = sum(n for *_, n in found)
        self.assertEqual(total, len(program_lines(*(ROOT / "examples").glob("*.pcap*"))))
        self.assertIn(("tcp", "bad", "one-bit"), [row[:3] for row in found])

    def test_an_archive_of_more_groups_than_threads(self):
        """Each group of parts is a call of its own, so not all rows are in memory at once."""
        calls = []
        inner = duckdb_engine.rows_of
        self.addCleanup(setattr, duckdb_engine, "rows_of", inner)
        self.addCleanup(setattr, duckdb_engine, "_padded", duckdb_engine._padded)
        padded = duckdb_engine._padded

        def counting(parts, threads):
            rows = padded(parts, threads)
            calls.append(len([row for row in rows if row is not None]))
            return rows

        duckdb_engine._padded = counting
        duckdb_engine.SPLIT = 20_000
        self.assertEqual(lines(self.rows(f"from wiresum_verify('{self.archive}')")), self.expected)
        self.assertGreater(calls[0], 5)

    def test_rows_of_a_group_are_in_memory_once(self):
        capture = many(self.scratch / "many.pcap", 400)
        self.con.execute("set memory_limit = '500MB'")
        duckdb_engine.SPLIT = self.split  # one group
        query = f"select count(*) from wiresum_verify('{capture}')"
        self.assertEqual(self.con.sql(query).fetchall(), [(len(program_lines(capture)),)])

    def test_a_stream_that_memory_bounds(self):
        rows = duckdb_engine.Captures(self.archive, threads=2, split=SPLIT)
        found = self.con.sql("from rows").to_arrow_table()
        self.assertEqual(lines(dictionaries(found)), self.expected)
        self.assertEqual(lines(dictionaries(pa.table(rows))), self.expected)
        self.assertEqual(len(self.con.sql("from rows limit 3").fetchall()), 3)
        chosen = duckdb_engine.Captures(self.archive, columns=["cause", "frame"], split=SPLIT)
        self.assertEqual(pa.table(chosen).column_names, ["cause", "frame"])
        ((found,),) = self.con.sql("select count(*) from chosen where cause = 'offload'").fetchall()
        self.assertEqual(found, sum(",offload," in line for line in self.expected))
        with self.assertRaisesRegex(ValueError, "'causes' is no column of checksums"):
            duckdb_engine.Captures(self.archive, columns=["causes"])

    def test_functions(self):
        packets = wiresum.packets(ROOT / "examples/tunnels-offload.pcap")
        frames = list(packets)
        found = self.con.sql(
            "select inet_checksum(data), inet_verify(data, link_type) from packets"
        ).fetchall()
        self.assertEqual([row[0] for row in found], [wiresum.checksum(f.data) for f in frames])
        verdicts = wiresum.verify_packets(pa.array([f.data for f in frames])).to_list()
        self.assertEqual([row[1] for row in found], verdicts)
        self.assertIn("bad", [verdict["status"] for verdict in verdicts])
        nulls = "select inet_checksum(null), inet_verify(null, 1)"
        self.assertEqual(self.con.sql(nulls).fetchall(), [(None, None)])

    def test_the_documentation(self):
        table, results = documented("duckdb")
        every = documented("")
        self.assertEqual(len(every), len(documented("duckdb", "wiresum.ray", "wiresum.spark")))
        with beside_examples() as here:
            shown = printed(table)
            names = sorted((ROOT / "examples").glob("*.pcap*"))
            bits = sum(",tcp," in row and ",one-bit," in row for row in program_lines(*names))
            self.assertGreater(bits, 5)
            self.assertRegex(shown, rf"tcp .*bad .*one-bit .*\b{bits}\b")
            self.assertEqual(printed(results), f"{len(names)} {{}}\n")
            dates = sorted(path.name for path in (here / "results/checksums").iterdir())
        self.assertRegex(dates[0], r"^date=20\d\d-\d\d-\d\d$")

    def test_pickles_of_others_are_refused(self):
        """Whoever may run SQL must not run Python by it."""
        forged = pickle.dumps(Forged())
        for argument in (forged, bytes(32) + forged, b""):
            with self.assertRaisesRegex(duckdb.Error, "takes parts from wiresum_verify alone"):
                self.con.execute("select _wiresum_checksums($1::blob)", [argument]).fetchall()
        self.assertEqual(LOADED, [])
        pickle.loads(forged)
        self.assertEqual(LOADED, [1])

    def test_no_file_is_read_after_access_was_taken_away(self):
        path = ROOT / "examples/vlan.pcap"
        (part,) = self.con.sql(
            f"select p from (select unnest(_wiresum_parts(to_json('{path}')::varchar)) as p) "
            "where p is not null"
        ).fetchall()
        self.con.execute("set enable_external_access = false")
        for table in ("verify", "counts", "problems"):
            with self.assertRaisesRegex(duckdb.Error, "must not read files: enable_external_acc"):
                self.con.sql(f"from wiresum_{table}('{path}')").fetchall()
        with self.assertRaisesRegex(duckdb.Error, "must not read files"):
            self.con.execute("select _wiresum_checksums($1::blob)", part).fetchall()
        found = self.con.sql("select inet_checksum('a'::blob)").fetchall()
        self.assertEqual(found, [(wiresum.checksum(b"a"),)])

    def test_schemes(self):
        for uri in ("http://127.0.0.1:9/a.pcap", "HTTPS://127.0.0.1:9/a.pcap", "memory://a.pcap"):
            with self.assertRaisesRegex(duckdb.Error, r"SQL may not read \w+: URIs here"):
                self.con.sql(f"from wiresum_verify(['{self.archive}', '{uri}'])").fetchall()
        data = (ROOT / "examples/vlan.pcap").read_bytes()
        fsspec.filesystem("memory").pipe("/a.pcap", data)
        duckdb_engine.install(self.con, schemes=["memory"])
        found = self.con.sql("from wiresum_verify('memory://a.pcap')").fetchall()
        self.assertEqual(len(found), wiresum.verify(data).total())

    def test_a_connection_that_is_left_is_gone(self):
        """The functions of a connection do not keep it."""
        con = duckdb.connect()
        duckdb_engine.install(con)
        left = weakref.ref(con)
        del con
        gc.collect()
        self.assertIsNone(left())

    def test_errors(self):
        with self.assertRaisesRegex(duckdb.Error, "no file matches"):
            self.con.sql(f"from wiresum_verify('{self.archive}/*.nothing')").fetchall()
        for name in (f"{self.archive}/missing.pcap", ""):
            for table in ("verify", "counts", "problems"):
                with self.assertRaisesRegex(duckdb.Error, "No such file|name the captures"):
                    self.con.sql(f"from wiresum_{table}('{name}')").fetchall()

    def test_ctrl_c(self):
        """Ctrl-C ends each kind of reading, by the exceptions that python/archives.md names."""
        archive = self.scratch / "long"
        archive.mkdir()
        for n in range(3000):
            os.link(ROOT / "examples/office.pcapng", archive / f"{n}.pcapng")
        program = textwrap.dedent(
            """
            import signal, duckdb, wiresum
            signal.signal(signal.SIGINT, signal.default_int_handler)
            con = duckdb.connect()
            wiresum.duckdb.install(con)
            print("begins", flush=True)
            try:
                {}
            except BaseException as error:
                print(type(error).__name__, str(error))
            print(con.execute("select 1").fetchall())
            """
        )
        by_duckdb = (
            "(KeyboardInterrupt |RuntimeError Query interrupted|"
            r"InvalidInputException .*KeyboardInterrupt\n?)"
        )
        sql = "con.execute(\"select count(*) from wiresum_verify('{}')\").fetchall()"
        captures = "rows = wiresum.duckdb.Captures({!r}); con.execute('from rows').fetchall()"
        write = f"wiresum.duckdb.write({{!r}}, {str(self.scratch / 'cut off')!r})"
        for call, said in (
            (sql, by_duckdb),
            (captures, by_duckdb),
            (write, "KeyboardInterrupt "),
        ):
            words = [sys.executable, "-c", program.format(call.format(str(archive)))]
            with (
                self.subTest(call),
                subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as query,
            ):
                self.assertEqual(query.stdout.readline(), "begins\n")
                time.sleep(0.7)
                query.send_signal(signal.SIGINT)
                try:
                    out, _ = query.communicate(timeout=120)
                finally:
                    query.kill()
                self.assertRegex(out, rf"(?s)^{said}\n\[\(1,\)\]\n$")


if __name__ == "__main__":
    unittest.main()
