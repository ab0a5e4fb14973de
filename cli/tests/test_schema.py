# SPDX-License-Identifier: MIT OR Apache-2.0
"""What verify --json and --jsonl print, against docs/verify.schema.json.

build/venv/bin/python -m unittest discover -s cli/tests -p test_schema.py
"""

import copy
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("WIRESUM", ROOT / "target/debug/wiresum")
SCHEMA = json.loads((ROOT / "docs/verify.schema.json").read_text())
CAPTURES = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("examples/*.pcap*"))


def verify(*words):
    words = [PROGRAM, "verify", *words]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    return ran.returncode, ran.stdout, ran.stderr


def closed(schema):
    """The schema in which a member that it does not name is wrong."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if "properties" in inner and "type" in inner and "additionalProperties" not in inner:
        inner["unevaluatedProperties"] = False
    return inner


def strict():
    """A validator that knows every member. Only a whole line or document is closed: its parts share
    an object."""
    schema = copy.deepcopy(SCHEMA)
    whole = ("file", "error", "counts")
    schema["$defs"] = {
        name: part if name in whole else closed(part) for name, part in schema["$defs"].items()
    }
    files = schema["$defs"]["document"]["properties"]
    for name in ("files", "errors"):
        files[name]["items"]["unevaluatedProperties"] = False
    return jsonschema.Draft202012Validator(schema)


class Schema(unittest.TestCase):
    def setUp(self):
        self.loose = jsonschema.Draft202012Validator(SCHEMA)
        self.strict = strict()

    def right(self, value):
        for validator in (self.loose, self.strict):
            faults = [error.message[:300] for error in validator.iter_errors(value)]
            self.assertEqual(faults, [])

    def test_it_is_a_schema(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        self.assertGreater(len(CAPTURES), 10)

    def test_json_and_jsonl_say_the_same(self):
        for more in ([], ["--unjudged"], ["--no-reassemble", "--unjudged"]):
            status, text, _ = verify("--json", *more, *CAPTURES, "nowhere.pcap")
            document = json.loads(text)
            self.right(document)
            line_status, text, _ = verify("--jsonl", *more, *CAPTURES, "nowhere.pcap")
            lines = [json.loads(line) for line in text.splitlines()]
            self.assertEqual(status, line_status)
            for line in lines:
                self.right(line)
            kinds = [line.pop("line") for line in lines]
            self.assertEqual(kinds, ["file"] * len(CAPTURES) + ["error", "summary"])
            self.assertEqual(lines[: len(CAPTURES)], document["files"])
            self.assertEqual(lines[-2:-1], document["errors"])
            summary = lines[-1]
            self.assertEqual((summary["files"], summary["errors"]), (len(CAPTURES), 1))
            for member in ("packets", "captured_bytes", "malformed"):
                total = sum(file[member] for file in document["files"])
                self.assertEqual(summary[member], total, member)
            bad = sum(file["verdict"]["bad"] for file in document["files"])
            self.assertEqual(summary["verdict"]["bad"], bad)

    def test_a_line_comes_before_the_next_file_is_read(self):
        """Also where each capture may be read by another thread, and in the order of the files."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(pipe := Path(folder, "late.pcap"))
            first = str(ROOT / "examples/vlan.pcap")
            words = [PROGRAM, "verify", "--jsonl", "--jobs", "2", first, pipe]
            program = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            try:
                self.assertEqual(json.loads(program.stdout.readline())["path"], first)
                pipe.write_bytes((ROOT / "examples/raw-ip.pcap").read_bytes())
                rest = [json.loads(line) for line in program.stdout.read().splitlines()]
            finally:
                program.kill()
                program.wait()
                program.stdout.close()
            self.assertEqual([line["line"] for line in rest], ["file", "summary"])

    def test_wrong_documents_are_refused(self):
        document = json.loads(verify("--json", "--unjudged", *CAPTURES)[1])
        changes = (
            lambda d: d.pop("errors"),
            lambda d: d["files"][0].pop("verdict"),
            lambda d: d["files"][0]["verdict"].update(tone="fine"),
            lambda d: d["files"][0]["checksums"]["tcp"].pop("absent"),
            lambda d: d["files"][0].update(packets=-1),
            lambda d: d["files"][0]["causes"].update(tcp={"Off Load": 1}),
            lambda d: d["errors"].append({"path": "x"}),
            lambda d: d.update(schema=2),
        )
        for change in changes:
            wrong = copy.deepcopy(document)
            change(wrong)
            self.assertFalse(self.loose.is_valid(wrong))
        for change in (lambda d: d.update(new=1), lambda d: d["files"][0].update(new=1)):
            wrong = copy.deepcopy(document)
            change(wrong)
            self.assertTrue(self.loose.is_valid(wrong), "later versions add members")
            self.assertFalse(self.strict.is_valid(wrong), "a member that nobody documented")
        line = json.loads(verify("--jsonl", CAPTURES[0])[1].splitlines()[0])
        self.assertFalse(self.loose.is_valid({**line, "line": "summary"}))


if __name__ == "__main__":
    unittest.main()
