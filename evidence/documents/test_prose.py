# SPDX-License-Identifier: MIT OR Apache-2.0
"""Documents, comments and messages use plain words: a list of words that a plain one replaces.

python3 -m evidence.documents.test_prose [PATH...]    prints each place (below PATH only)
"""

import bisect
import re
import sys
import unittest

from evidence.documents.test_docs import ROOT, tracked

# A word, and what to write in its place. Change the sentence: another rare word is no better.
WORDS = (
    ("behind", "after"),
    ("th(?:at|ose) of", "the noun again"),
    ("besides?", "next to, with"),
    ("tells", "says, shows"),
    # The proofs define a term: a partial sum stands for a total.
    ("stands(?! for)", "is"),
    (r"from (?:\S+ )?(?:bytes?|[KMG]iB) on", "at N bytes and more"),
    ("but for", "except"),
)
# A word before "(" is a function, and a word in capitals is a macro.
PHRASES = tuple(
    (re.compile(rf"\b[{word[0]}{word[0].upper()}]{word[1:]}\b(?!\()".replace(" ", r"\s+")), plain)
    for word, plain in WORDS
)

# Files whose words are not for people to change here, by the beginning or the end of their names.
LEFT_OUT = (
    ("LICENSE-", "texts of the licenses"),
    (".lock", "a tool writes it"),
    ("site/package-lock.json", "a tool writes it"),
    ("evidence/checks/corpus/", "inputs that a fuzzer found"),
    (".csv", "results on record"),
    ("rtl/results.json", "results on record"),
    ("spec/vectors.json", "spec/make_vectors.py writes it"),
    ("packet/tests/frames.txt", "packet/tests/frames.py writes it"),
    ("evidence/documents/test_prose.py", "this list, and planted sentences"),
)
# Not yet rewritten.
NOT_YET = (
    # The messages of the engine are code, whose digest is in record.json. It has them, too.
    *(
        "evidence/proof/simd/memory.h",
        "evidence/proof/simd/prove.cpp",
        "evidence/proof/simd/record.json",
    ),
    # It is an input of recorded simulations and syntheses, together with its comments.
    "rtl/src/tcoe/tcoe.f",
    # They are inputs of recorded simulations, and vectors.json has the descriptions of the second.
    *("rtl/tests/", "spec/make_vectors.py"),
)

STRING = r'"(?:\\.|[^"\\])*"'
C = rf"//[^\n]*|/\*.*?\*/|r(#+)\".*?\"\1|{STRING}|'(?:\\.|[^'\\\n])'"
SCRIPT = rf"//[^\n]*|/\*.*?\*/|{STRING}|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
PYTHON = rf"#[^\n]*|(?:\b[bfru]{{1,2}})?(?:(\"\"\"|''').*?\1|{STRING}|'(?:\\.|[^'\\\n])*')"
# What of a file is prose, by suffix. Of any other file it is the whole text.
PROSE = {
    **dict.fromkeys((".c", ".h", ".cpp", ".rs", ".sv", ".svh", ".go", ".S", ".css"), C),
    **dict.fromkeys((".ts", ".js", ".mjs", ".astro"), SCRIPT),
    ".py": PYTHON,
    ".toml": ".+",
}
# In the prose of a source, a word alone in quotes is a name, and braces hold an expression.
NAME = re.compile(r"\"\w+\"|'\w+'|\{[^{}\s\"]*\}")
# Where a text goes on in the next line.
JOINT = re.compile(r"\\\n|[\"'][ \t]*\n[ \t]*[a-z]?[\"']")
# What of a document is code.
CODE = {
    # The tables of rtl/README.md are made of sources of rtl/ and of results.
    ".md": r"^ *```.*?^ *```|`[^`]*`|\]\([^)]*\)"
    r"|<!-- [^\n]*: made by run\.py -->.*?<!-- [^\n]*: end -->|<!--.*?-->",
    ".html": r"\{\{.*?\}\}|\{%.*?%\}|<script>.*?</script>|<style>.*?</style>",
}
MARKER = re.compile(r"^([ \t]*)(///?|//!|/?\*+|#+:?|>)(?=\s|$)", re.M)
FLAGS = re.S | re.M


def hidden(text):
    """As many characters, of which none belongs to a word or to the space between words."""
    return re.sub(r"[^\n]", "\0", text)


def prose(text, suffix):
    """The text with its code hidden, and with spaces for the marks of comments."""
    if suffix in PROSE:
        kept, end = [], 0
        for found in re.finditer(PROSE[suffix], text, FLAGS):
            between = text[end : found.start()]
            kept += [hidden(between) if between.strip() else between, found[0]]
            end = found.end()
        text = "".join([*kept, hidden(text[end:])])
        text = NAME.sub(lambda found: hidden(found[0]), text)
        text = JOINT.sub(lambda found: re.sub(r"\S", " ", found[0]), text)
    elif suffix in CODE:
        text = re.sub(CODE[suffix], lambda found: hidden(found[0]), text, flags=FLAGS)
    return MARKER.sub(lambda found: found[1] + " " * len(found[2]), text)


def hits(text, suffix):
    """The line of each such word, the word, and what to write in its place."""
    plain = prose(text, suffix)
    lines = [found.end() for found in re.finditer("\n", plain)]
    places = [
        (found.start(), " ".join(found[0].split()), instead)
        for phrase, instead in PHRASES
        for found in phrase.finditer(plain)
    ]
    return [(bisect.bisect(lines, at) + 1, word, instead) for at, word, instead in sorted(places)]


def left_out(name):
    parts = [*(part for part, _ in LEFT_OUT), *NOT_YET]
    return any(name.startswith(part) or name.endswith(part) for part in parts)


def found(places=("",)):
    """FILE:LINE, the word, and what to write in its place, in all files that have prose."""
    lines = []
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        if left_out(name) or not name.startswith(tuple(places)):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:  # a capture
            continue
        lines += [f'{name}:{at}: "{w}": {instead}' for at, w, instead in hits(text, path.suffix)]
    return lines


class Prose(unittest.TestCase):
    def test_words_are_plain(self):
        lines = found()
        self.assertEqual(lines, [], "\n" + "\n".join(lines))

    def test_what_is_left_out_exists(self):
        names = [path.relative_to(ROOT).as_posix() for path in tracked()]
        for part in [*(part for part, _ in LEFT_OUT), *NOT_YET]:
            self.assertTrue(any(n.startswith(part) or n.endswith(part) for n in names), part)

    def test_planted_sentences_are_found(self):
        planted = (
            (".md", "It is\n\nbehind it.", [(3, "behind")]),
            (".md", "Lengths that\nof which `behind` is one.", [(1, "that of")]),
            (".c", "int behind; /* It\n * tells all. */", [(2, "tells")]),
            (".h", "// Those\n// of two.", [(1, "Those of")]),
            (".rs", "/// It stands\n/// here", [(1, "stands")]),
            (".rs", 'println!("the packet \\\n  behind it")', [(2, "behind")]),
            (".py", 'print("all that"\n    f" of it")', [(1, "that of")]),
            (".c", 'print("all that "\n    "of it")', [(1, "that of")]),
            (".py", '"""A\n\nBesides, it."""', [(3, "Besides")]),
            (
                ".py",
                "print('a' if behind else 'quick from 79 bytes on')",
                [(1, "from 79 bytes on")],
            ),
            (".ts", "const a = `All but for one`;", [(1, "but for")]),
            (".sh", "# From 1 MiB on", [(1, "From 1 MiB on")]),
            (".html", "<p>beside {{ tells }}</p>", [(1, "beside")]),
        )
        for suffix, text, expected in planted:
            self.assertEqual([hit[:2] for hit in hits(text, suffix)], expected, text)
        self.assertEqual({instead for _, instead in WORDS}, {i for _, i in PHRASES})

    def test_code_and_terms_are_not_found(self):
        for suffix, text in (
            (".c", "int behind = tells(stands); /* a partial sum stands for a total */"),
            (".c", "char c = '\"'; behind(c); // behind(c), BEHIND"),
            (".rs", "fn f<'a>(behind: &'a str) { r#\"x\"#; tells(behind) }"),
            (".py", "x = {'behind': 1, \"tells\": f'{behind[:3]}'}"),
            (".md", "See `behind`.\n\n```c\nint tells;\n```\n[a](behind.md)"),
            (".html", "{% if tells %}a{% endif %}<script>let behind;</script>"),
        ):
            self.assertEqual(hits(text, suffix), [], text)


if __name__ == "__main__":
    print("\n".join(found(sys.argv[1:] or [""])))
