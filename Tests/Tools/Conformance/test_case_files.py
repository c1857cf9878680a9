"""The text of a case, and the mistakes that can be made in it."""

from __future__ import annotations

import unittest
from pathlib import Path

from support import TOY, case_of

from case import AS_IS, CaseError, methods_named  # noqa: E402
from casefile import Suite  # noqa: E402
from examples import examples  # noqa: E402
from schema import Protocol  # noqa: E402


class CaseFiles(unittest.TestCase):
    def read(self, text: str):
        return case_of(text, Protocol(TOY))

    def test_headers_and_steps_are_read(self):
        case = self.read('# Proof.\nproves: A-1 A-2\nsession: none\nargs: --a b\n\n'
                         '>> {"id":{{N}}}\n>>*3 {"id":{{i}}}\nraw "\\u00FF\\n"\nrepeat 2 é\n'
                         'exit 1\nstderr why\n')
        self.assertEqual((case.proves, case.session, case.args),
                         (["A-1", "A-2"], "none", ["--a", "b"]))
        kinds = [step.kind for step in case.steps]
        self.assertEqual(kinds, [">>", ">>", "raw", "repeat", "exit", "stderr"])
        self.assertEqual(case.steps[0].text, '{"id":1}')
        self.assertEqual(case.steps[1].count, 3)
        self.assertEqual(case.steps[2].data, b"\xff\n")
        self.assertEqual(case.steps[3].data, "é".encode())

    def test_what_cannot_be_read_is_named_with_its_line(self):
        faults = {
            "# c\nproofs: A\n": ":2: no header 'proofs'",
            "# c\nsession: maybe\n": ":2: session: 'maybe'; expected one of none",
            "# c\neof\nproves: A\n": ":3: header 'proves' after a step",
            "# c\n<< {\n": ":2: not JSON",
            "# c\n>> {'a':1}\n": ":2: not JSON",
            "# c\nwait 3\n": ":2: no step 'wait'",
            '# c\n<< "hello"\n': ":2: expected the pattern of a message",
            '# c\n<< {"id":"$x"}\n': ":2: $x is neither a matcher nor bound before",
            '# c\n<< {"method":"$/progress"}\n': ":2: $/progress is no matcher",
            '# c\n<< {"a":["$rest",1]}\n': ':2: "$rest" must be the last element',
            '# c\n<< {"a":"$type:Nothing"}\n': ":2: the protocol has no type Nothing",
            '# c\n<< {"a":"$re:("}\n': ":2: $re: is no regular expression",
            '# c\n>> {"id":"$x"}\n': ":2: $x was not bound before",
            '# c\n>> {"id":{{i}}}\n': ":2: {{i}} outside of a repeated send",
            '# c\n>>*0 {}\n': ":2: expected `>>*N JSON`",
            '# c\nraw "🍲"\n': ":2: a character above U+00FF",
            "# c\nrepeat x y\n": ":2: expected `repeat N TEXT`",
            "# c\nsignal KILL\n": ":2: expected `signal`",
            "# c\nexit now\n": ":2: expected `exit N`",
            "# c\nexit 0\neof\n": ":3: 'eof' after `exit`",
            "# c\nkill\nexit 0\n": ":3: 'exit' after `exit` or `kill`",
            "# c\nkill now\n": ":2: expected nothing after `kill`",
            "# c\nrestart\nstderr x\n": ":3: `stderr` before `exit`",
            "# c\nput a\n": ":2: expected `put PATH`",
            "# c\nput /a {}\n": ":2: '/a' is no path below",
            "# c\nput a/../b {}\n": ":2: 'a/../b' is no path below",
            "# c\nput a 1\n": ":2: a file is the bytes of a JSON string",
            '# c\nput a {"b":"$x"}\n': ":2: $x was not bound before",
            "# c\ntake\n": ":2: expected `take PATH`",
            "# c\nzone\n": ":2: expected `zone NAME`",
            "# c\nclock: a b\n": ":2: expected `clock:` and one word",
            "# c\ncapabilities: []\n": ":2: capabilities: expected a JSON object",
            '# c\ninitialize: {"capabilities":{}}\n': ":2: capabilities have their own header",
            "# c\ncapabilities: {}\nsession: none\n": ":2: capabilities: the runner's handshake",
            "# c\nstderr x\n": ":2: `stderr` before `exit`",
            "# c\nundrained\n": ":2: expected `undrained stdout`",
            "# c\nbuild: debug\nbuild: debug\n": ":3: header 'build' is repeated; it is already on line 2",
            "# c\nfixture:\n": ":2: header 'fixture' is empty",
            "# c\n\n\n<<< {}\n": ":4: no step",
            "# c\n>>\n": ":2: nothing here; expected JSON",
            "# c\n>>*x {}\n": ":2: expected `>>*N JSON`",
            '# c\n<< {"a":1,"a":1}\n': ":2: not JSON: member 'a' appears twice",
            '# c\n<< {"$rest":1}\n': ':2: "$rest" as a member has the value true',
            '# c\n<< {"$x":1}\n': ":2: $x is no member",
            '# c\n<< ["$absent"]\n': ":2: $absent cannot stand here",
            '# c\n<< {"a":"$bind:any"}\n': ":2: $bind:any cannot name",
            "# c\n<<~ []\n": ":2: expected `<<~ [JSON, …]`",
            "# c\n<<~ {}\n": ":2: expected `<<~ [JSON, …]`",
            "# c\n<<! a b\n": ":2: expected `<<! METHOD`",
            "# c\nraw a\n": ":2: not JSON",
            "# c\nraw 1\n": ":2: expected `raw",
            "# c\nrepeat 3\n": ":2: expected `repeat N TEXT`",
            "# c\nbarrier now\n": ":2: expected nothing after `barrier`",
            "# c\nfolder: held\n": ":2: a folder that is held needs a fixture",
            "# c\nfolder: lost\n": ":2: folder: 'lost'; expected one of fresh",
            "# c\nexit 256\n": ":2: expected `exit N`, a status from 0 to 255",
            "# c\nkill\nbarrier\n": ":3: 'barrier' after `exit` or `kill`",
            "# c\nput a//b {}\n": ":2: 'a//b' is no path below",
            "# c\nput a {\n": ":2: not JSON",
            '# c\nput a "Ā"\n': ":2: a character above U+00FF",
            "# c\ntake ../a\n": ":2: '../a' is no path below",
            "# c\ninitialize: {\n": ":2: not JSON",
            "# c\nundrained stderr\n": ":2: expected `undrained stdout`",
            "# c\neof\r\n": ":2: a carriage return",
            "# c\r\neof\n": ":1: a carriage return",
            "eof\n": ":1: no comment at the top",
        }
        for text, message in faults.items():
            with self.subTest(text), self.assertRaises(CaseError) as caught:
                self.read(text)
            self.assertIn(message, str(caught.exception))

    def test_examples_are_cases(self):
        example = next(case for case in Suite(TOY).cases if case.name == "example notes/add “A note”")
        self.assertTrue(example.path.endswith("toy/domains/toy.json"))
        lines = Path(example.path).read_text(encoding="utf-8").split("\n")
        self.assertIn('"name": "A note"', lines[example.steps[0].line - 1])

    def test_an_example_says_what_the_client_can_do_and_for_which_build_it_holds(self):
        case = self.note(build="release", capabilities={"confirm": {}})
        self.assertEqual((case.build, case.capabilities), ("release", '{"confirm": {}}'))

    def test_an_example_that_no_handshake_or_build_can_be_had_for_is_refused(self):
        for more in ({"build": "fast"}, {"capabilities": []}, {"session": "none", "capabilities": {"confirm": {}}},
                     {"session": "soon"}):
            with self.subTest(more), self.assertRaises(CaseError):
                self.note(**more)

    def note(self, **more):
        """The example of a note, changed."""
        protocol = Protocol(TOY)
        protocol.requests["notes/add"]["examples"][0].update(more)
        return next(case for case in examples(protocol) if case.name.endswith("“A note”"))

    def test_everything_that_can_stand_in_a_case_is_read(self):
        case = case_of("""# What is proven,
#   in two lines.

proves: A-1 A-2
session: none
fixture: two-notes
framing: header
build: debug
args: --a  --b=1
folder: held
variants: plain

# A comment between.
>> {"jsonrpc":"2.0","id":{{N}},"method":"notes/add"}
>>*3 {"id":{{i}}}
<< {"id":"$bind:x"}
>> {"id":"$x","id":"$x"}
<<~ [{"a":1},{"b":"$x"}]
<<? {"$rest":true}
<<! changed
raw "a\\u00FF\\n"
repeat 2 ü
barrier
await ["$rest"]
undrained stdout
eof
signal TERM
exit 1
stderr some: text
""")
        self.assertEqual(case.comment, "What is proven,\nin two lines.\n")
        self.assertEqual((case.session, case.framing, case.build, case.variants, case.folder, case.fixture),
                         ("none", "header", "debug", "plain", "held", "two-notes"))
        self.assertEqual(case.args, ["--a", "--b=1"])
        self.assertEqual([step.line for step in case.steps], list(range(14, 30)))
        self.assertEqual([step.kind for step in case.steps],
                         [">>", ">>", "<<", ">>", "<<~", "<<?", "<<!", "raw", "repeat", "barrier", "await", "undrained",
                          "eof", "signal", "exit", "stderr"])
        self.assertEqual(case.steps[15].text, "some: text")
        self.assertEqual(case.runs(), [("header", AS_IS)])

    def test_what_no_header_says_has_its_default(self):
        case = self.read("# c\neof\n")
        self.assertEqual((case.session, case.framing, case.build, case.variants, case.fixture, case.args, case.proves),
                         ("initialized", "both", "any", "all", "empty", [], []))
        self.assertEqual(len(case.runs()), 6)
        self.assertEqual(case.runs("newline", "plain"), [("newline", AS_IS)])

    def test_what_prepares_a_start_and_what_a_handshake_says_is_read(self):
        case = self.read("""# c
capabilities: {"confirm":{}}
initialize: {"locale":"de-DE"}
clock: 2026-02-01T00:00:00Z
zone: Europe/Berlin
put a/b {"c":1.0}
put d "\\u00FF"
zone UTC
eof
put e []
exit 0
take e
restart --clock X
kill
restart
""")
        self.assertEqual((case.capabilities, case.initialize), ('{"confirm":{}}', '{"locale":"de-DE"}'))
        self.assertEqual((case.clock, case.zone), ("2026-02-01T00:00:00Z", "Europe/Berlin"))
        self.assertEqual([step.kind for step in case.preparations], ["put", "put", "zone"])
        self.assertEqual((case.steps[0].words, case.steps[0].text), (["a/b"], '{"c":1.0}'))
        self.assertEqual(case.steps[1].data, b"\xff")
        self.assertEqual(case.steps[7].words, ["--clock", "X"])

    def test_what_is_no_text_is_refused(self):
        with self.assertRaises(CaseError):
            self.read("#\udcff\n")


class TheReportOnAStart(unittest.TestCase):
    """What is of the start, or `unprompted`, is passed over unless a case names it."""

    def test_a_step_names_methods_in_expectations_only(self):
        text = """# c
<< {"method":"$$/progress","$rest":true}
<<~ [{"method":"a"},{"method":"b"}]
<<? {"method":"c"}
<<! d
await {"method":"e"}
>> {"method":"f"}
barrier
"""
        case = case_of(text, Protocol(TOY))
        named = set().union(*(methods_named(step) for step in case.steps))
        self.assertEqual(named, {"$/progress", "a", "b", "c", "d", "e"})


if __name__ == "__main__":
    unittest.main()
