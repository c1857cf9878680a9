"""Tests of the second runner: it reads the format, it matches, and above all it can fail.

    python3 -m unittest discover -s Tests/Tools/SecondRunner -p 'test_*.py'
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from casefile import CaseError, methods_named, read_case, read_cases  # noqa: E402
from conversation import Conversation, Unlawful, Work  # noqa: E402
from jsontext import NotJSON, parse, parse_bytes, to_text, values_within  # noqa: E402
from matching import Matcher, Mismatch, fill_in, prepared  # noqa: E402
from schema import Check, Invalid, Protocol  # noqa: E402
from wire import Frames, WireError  # noqa: E402

TOY = HERE / "fixtures" / "toy"
FAKE = HERE / "fixtures" / "fake_server.py"
REAL = HERE.parents[2] / "Protocol"


class TheTextOfJSON(unittest.TestCase):
    def test_numbers_keep_their_spelling_and_compare_by_value(self):
        self.assertEqual(to_text(parse('[7.0,1E2,"é"]')), '[7.0,1E2,"é"]')
        self.assertEqual(parse("7.0"), parse("7"))

    def test_what_is_not_strict_json_is_refused(self):
        for text in (b'{"a":1,"a":2}', b"NaN", b"[1,]", b"1 2", b"\xff", b'"\\ud800"', b"",
                     b"\xef\xbb\xbf1", b'"\x01"'):
            with self.subTest(text), self.assertRaises(NotJSON):
                parse_bytes(text)

    def test_requests_are_recognised_within_raw_bytes(self):
        text = 'Content-Length: 8\r\n\r\n{"id":1}{bad [{"id":"x"}]'
        self.assertEqual([to_text(v) for v in values_within(text)], ['{"id":1}', '[{"id":"x"}]'])


class CaseFiles(unittest.TestCase):
    def read(self, text: str):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.rpc"
            path.write_bytes(text.encode("utf-8"))
            return read_case(path, "case", Protocol(TOY))

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
            '# c\ninitialize: {"capabilities":{}}\n': ":2: capabilities have a header",
            "# c\ncapabilities: {}\nsession: none\n": ":2: capabilities: the runner's handshake",
            "# c\nstderr x\n": ":2: `stderr` before `exit`",
            "# c\nundrained\n": ":2: expected `undrained stdout`",
            "# c\r\neof\n": ":1: a carriage return",
            "eof\n": ":1: no comment on top",
        }
        for text, message in faults.items():
            with self.subTest(text), self.assertRaises(CaseError) as caught:
                self.read(text)
            self.assertIn(message, str(caught.exception))

    def test_examples_are_cases(self):
        names = [case.name for case in read_cases(Protocol(TOY))]
        self.assertIn("example notes/add “A note”", names)

    def test_an_example_says_what_the_client_can_do_and_for_which_build_it_holds(self):
        protocol = Protocol(TOY)
        more = {"build": "release", "capabilities": {"confirm": {}}}
        protocol.requests["notes/add"]["examples"][0].update(more)
        case = next(case for case in read_cases(protocol) if case.name.endswith("“A note”"))
        self.assertEqual((case.build, case.capabilities), ("release", '{"confirm": {}}'))


class Matching(unittest.TestCase):
    def match(self, pattern: str, value: str, **bindings):
        matcher = Matcher(Protocol(TOY))
        return matcher.match(prepared(parse(pattern)), parse(value), bindings)

    def test_what_matches(self):
        for pattern, value in (
            ('{"a":7}', '{"a":7.0}'), ('"$int"', "7.0"), ('"$number"', "1.5"), ('"$null"', "null"),
            ('"$uuid"', '"11111111-1111-4111-8111-111111111111"'), ('"$bool"', "false"),
            ('"$instant"', '"2026-01-05T12:00:00.000Z"'), ('"$date"', '"2024-02-29"'),
            ('[1,"$rest"]', "[1,2,3]"), ('[1,"$rest"]', "[1]"), ('{"$rest":true}', '{"a":1}'),
            ('{"a":"$absent","$rest":true}', '{"b":1}'), ('"$$/x"', '"$/x"'),
            ('"$re:a+"', '"aaa"'), ('"$type:array<Note>"', "[]"),
            ('{"error":{"code":1}}', '{"error":{"code":1,"message":"any"}}'),
        ):
            with self.subTest(pattern):
                self.match(pattern, value)

    def test_what_does_not_match(self):
        for pattern, value in (
            ('{"a":7}', '{"a":8}'), ('{"a":1}', '{"a":1,"b":2}'), ('{"a":1}', "{}"),
            ('{"a":1}', '{"a":true}'), ('{"a":null}', "{}"), ('"1"', "1"), ("[1]", "[1,2]"),
            ("[1,2]", "[2,1]"), ('"$int"', "1.5"), ('"$int"', '"1"'), ('"$string"', "null"),
            ('"$uuid"', '"1111111A-1111-4111-8111-111111111111"'), ('"$null"', "0"),
            ('"$instant"', '"2026-01-05T12:00:00Z"'), ('"$date"', '"2023-02-29"'),
            ('{"a":"$absent","$rest":true}', '{"a":null}'), ('"$re:a"', '"aa"'),
            ('"$$x"', '"$$x"'), ('"$type:Note"', '{"text":"x"}'), ('["$rest"]', "{}"),
            ('{"error":{"code":1}}', '{"error":{"code":1,"message":""}}'),
            ('{"error":{"code":1}}', '{"error":{"code":1}}'), ('"é"', '"e\\u0301"'),
        ):
            with self.subTest(pattern), self.assertRaises(Mismatch):
                self.match(pattern, value)

    def test_what_is_remembered_is_compared_and_sent(self):
        bound = self.match('{"a":"$bind:x","b":"$x"}', '{"a":1.50,"b":1.5}')
        self.assertEqual(fill_in('{"id":"$x","to":"$/x","as":"$$x"}', bound),
                         '{"id":1.50,"to":"$/x","as":"$x"}')
        with self.assertRaises(Mismatch):
            self.match('"$x"', "2", **bound)

    def test_any_order_gives_each_pattern_a_message_of_its_own(self):
        matcher = Matcher(Protocol(TOY))
        values = parse('[{"a":1},{"a":2}]')
        matcher.match_any_order(parse('["$any",{"a":1}]'), values, {})
        with self.assertRaises(Mismatch):
            matcher.match_any_order(parse('[{"a":1},{"a":1}]'), values, {})


class DeclaredTypes(unittest.TestCase):
    def check(self, facets: dict, text: str):
        Check(Protocol(TOY)).value(facets, parse(text), "")

    def test_values_of_each_scalar(self):
        good = (("bool", "true"), ("int", "7.0"), ("int", "9007199254740991"), ("string", '""'),
                ("duration", "0"), ("decimal", '"-0.50"'), ("timezone", '"Etc/GMT+1"'),
                ("token", '"x"'), ("token", "-1"), ("time", '"00:00"'), ("time", '"23:59"'),
                 ("json", "null"), ("map<int>", '{"a":1}'))
        bad = (("bool", "0"), ("int", "1.5"), ("int", "9007199254740992"), ("int", "1e999"),
               ("string", "1"), ("duration", "-1"), ("decimal", "1"), ("decimal", '"01"'),
               ("decimal", '"1."'), ("timezone", '""'), ("token", "1.5"), ("token", "null"),
               ("map<int>", '{"a":"b"}'), ("array<int>", '["b"]'), ("date", '"1899-12-31"'),
               ("id", '"11111111-1111-4111-8111-11111111111A"'), ("null", "0"),
               ("time", '"24:00"'), ("time", '"7:30"'), ("time", '"07:60"'), ("time", "730"))
        for name, text in good:
            with self.subTest(name, text=text):
                self.check({"type": name}, text)
        for name, text in bad:
            with self.subTest(name, text=text), self.assertRaises(Invalid):
                self.check({"type": name}, text)

    def test_what_touches_data_may_be_locked_unless_it_is_marked(self):
        protocol = Protocol(TOY)
        self.assertIn("locked", protocol.errors_of("notes/add"))
        self.assertNotIn("locked", protocol.errors_of("server/info"))
        protocol.requests["notes/add"]["whileLocked"] = True
        self.assertNotIn("locked", protocol.errors_of("notes/add"))

    def test_members_are_exactly_the_declared(self):
        note = '{"id":"11111111-1111-4111-8111-111111111111","text":"x"%s}'
        self.check({"type": "Note"}, note % "")
        for more in (',"more":1', ',"weight":null', ',"weight":"1.234"', ',"weight":"-1"'):
            with self.subTest(more), self.assertRaises(Invalid):
                self.check({"type": "Note"}, note % more)

    def test_text_is_counted_in_scalars(self):
        self.check({"type": "string", "maxLength": 2}, '"🍲🍲"')
        with self.assertRaises(Invalid):
            self.check({"type": "string", "maxLength": 2}, '"e\\u0301e"')


class TheWire(unittest.TestCase):
    def test_messages_are_split_wherever_the_bytes_are(self):
        for framing, data in (("header", "Content-Length: 4\r\n\r\n\"é\"".encode() * 2),
                              ("newline", '"é"\n'.encode() * 2)):
            frames, found = Frames(framing), []
            for index in range(len(data)):
                frames.feed(data[index:index + 1])
                body = frames.next()
                found += [body] if body is not None else []
            self.assertEqual(found, ['"é"'.encode()] * 2)

    def test_other_headers_than_the_canonical_are_refused(self):
        for data in (b"content-length: 2\r\n\r\n{}", b"Content-Length:2\r\n\r\n{}",
                     b"Content-Length: 2\n\n{}", b"Content-Length: 02\r\n\r\n{}", b"oops\n",
                     b"Content-Length: 2\r\nContent-Type: x\r\n\r\n{}", b"Content-Length:  2\r\n"):
            with self.subTest(data), self.assertRaises(WireError):
                frames = Frames("header")
                frames.feed(data)
                frames.next()


class Conversations(unittest.TestCase):
    def received(self, *texts: str):
        conversation = Conversation(Protocol(TOY), handshake=True)
        conversation.sent(parse('{"jsonrpc":"2.0","id":1.0,"method":"server/info"}'))
        for text in texts:
            conversation.received(parse(text))

    def test_unlawful_messages_are_refused(self):
        for text in ('{"jsonrpc":"2.0","id":1,"result":{"build":"x"}}', "[]", "1",
                     '{"id":1.0,"result":{"build":"x"}}', '{"jsonrpc":"2.0","id":1.0}',
                     '{"jsonrpc":"2.0","id":1.0,"result":{"build":"x"},"error":null}',
                     '{"jsonrpc":"2.0","id":1.0,"result":{}}',
                     '{"jsonrpc":"2.0","id":1.0,"result":{"build":"x"},"more":1}',
                     '{"jsonrpc":"2.0","method":"notesChanged","params":{"revision":1}}',
                     '{"jsonrpc":"2.0","method":"unheard/of","params":{}}',
                     '{"jsonrpc":"2.0","id":1.0,"error":{"code":1000,"message":"m",'
                     '"data":{"name":"full","retry":"never"}}}'):
            with self.subTest(text), self.assertRaises(Unlawful):
                self.received(text)

    def test_an_answer_comes_once(self):
        answer = '{"jsonrpc":"2.0","id":1.0,"result":{"build":"x"}}'
        self.received(answer)
        with self.assertRaises(Unlawful):
            self.received(answer, answer)


class ProgressOfWork(unittest.TestCase):
    def report(self, *values: str):
        work = Work()
        for value in values:
            work.report(parse(value))

    def test_work_begins_once_never_falls_and_ends_once(self):
        begin, end = '{"kind":"begin","percentage":0}', '{"kind":"end"}'
        half = '{"kind":"report","percentage":50}'
        self.report(begin, half, half, '{"kind":"report"}', end)
        for values in ((half,), (begin, begin), (begin, end, end), (begin, end, half), (end,),
                       (begin, half, '{"kind":"report","percentage":49}')):
            with self.subTest(values), self.assertRaises(Unlawful):
                self.report(*values)


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
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "case.rpc"
            path.write_text(text, encoding="utf-8")
            case = read_case(path, "case", Protocol(TOY))
        named = set().union(*(methods_named(step) for step in case.steps))
        self.assertEqual(named, {"$/progress", "a", "b", "c", "d", "e"})


class TheRunner(unittest.TestCase):
    """Whole runs against a fake service that does one thing wrong when told which."""

    def run_cases(self, *fault: str, protocol: Path = TOY, options=("--variants", "plain")):
        command = [sys.executable, str(HERE / "run_cases.py"), "--protocol", str(protocol),
                   "--build", "debug", *options, "--", sys.executable, str(FAKE), *fault]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8")
        return done.returncode, done.stdout

    def with_toy(self, change):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        protocol = folder / "toy"
        shutil.copytree(TOY, protocol)
        change(protocol)
        return self.run_cases(protocol=protocol)

    def test_a_service_that_is_right_passes_in_every_variant(self):
        status, output = self.run_cases(options=())
        self.assertEqual(status, 0, output)
        self.assertIn("7 passed, 0 failed", output)

    def test_a_service_that_is_wrong_fails(self):
        for fault, message in {
            "stray": "stdout holds no",
            "header": "stdout h",
            "characters": "stdout",
            "undeclared member": "result/note/colour: is not declared",
            "wrong type": "expected a decimal as text, found 3",
            "wrong value": 'found "Something else"',
            "error name": "no error is named 'undeclared'",
            "error code": "full is 1000, found 1001",
            "status": "expected to end with status 1, ended with 0",
            "id lexeme": "an answer to 7, which is no request in flight",
            "crash": "status -9",
            "event first": "in {\"jsonrpc\":\"2.0\",\"method\":\"notesChanged\"",
            "both": "exactly one of result and error",
            "twice": "which is no request in flight",
            "talkative": "notesChanged may not arrive",
            "cold": "params/at: expected a time of day, HH:MM, found '24:00'",
            "overdue": "params/at: expected a time of day, HH:MM, found '24:00'",
        }.items():
            with self.subTest(fault):
                status, output = self.run_cases("--fault", fault)
                self.assertEqual(status, 1, output)
                self.assertIn(message, output)

    def test_an_item_without_a_case_fails(self):
        def change(protocol: Path):
            (protocol / "cases" / "base" / "full.rpc").unlink()
        status, output = self.with_toy(change)
        self.assertEqual(status, 1, output)
        self.assertIn("UNCOVERED error full", output)

    def test_what_a_case_names_is_not_passed_over(self):
        add = ('>> {"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"a"}}\n'
               '<< {"jsonrpc":"2.0","id":1,"result":{"note":"$any","revision":1}}\n'
               'await {"jsonrpc":"2.0","method":"notesChanged","params":{"revision":1}}')

        def change(protocol: Path):
            for name, step in (("any", "<<! warmedUp"), ("not", "<<! notesChanged"),
                               ("due", f"<<! fellDue\n{add}")):
                (protocol / "cases" / "base" / f"{name}.rpc").write_text(
                    f"# Warm.\nproves: TOY-001\n{step}\nbarrier\n")
        status, output = self.with_toy(change)
        self.assertEqual(status, 1, output)
        self.assertIn("warmedUp may not arrive", output)
        self.assertIn("fellDue may not arrive", output)
        self.assertIn("FAILED base/any.rpc", output)
        self.assertIn("FAILED base/due.rpc", output)
        self.assertNotIn("FAILED base/not.rpc", output)

    def test_what_may_come_is_waited_for_by_the_next_step_that_takes_a_message(self):
        ask = '>> {"jsonrpc":"2.0","id":1,"method":"server/info"}\n'
        told = '{"jsonrpc":"2.0","id":1,"result":{"build":"$bind:b","$rest":true}}'
        maybe = '<<? {"jsonrpc":"2.0","method":"notesChanged","$rest":true}\n'

        def change(protocol: Path):
            for name, steps in (
                    ("first", f"{maybe}{ask}<< {told.replace('$bind:b', '$string')}\n{maybe}barrier\n"),
                    ("bound", f"{ask}{maybe}<<? {told}\n"
                              '>> {"jsonrpc":"2.0","id":"$b","method":"server/info"}\n'
                              '<< {"jsonrpc":"2.0","id":"debug","result":{"$rest":true}}\n'),
                    ("another", f"{ask}{maybe}barrier\n")):
                (protocol / "cases" / "base" / f"{name}.rpc").write_text(f"# May.\nproves: TOY-001\n{steps}")
        status, output = self.with_toy(change)
        self.assertEqual(status, 1, output)
        self.assertIn("FAILED base/another.rpc", output)
        self.assertIn("expected silence", output)
        self.assertNotIn("FAILED base/first.rpc", output)
        self.assertNotIn("FAILED base/bound.rpc", output)

    def test_a_service_is_killed_and_started_again(self):
        add = ('>> {"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"a"}}\n'
               '<< {"jsonrpc":"2.0","id":1,"result":{"note":"$any","revision":%d}}\n'
               'await {"jsonrpc":"2.0","method":"notesChanged","params":{"revision":%d}}\n')

        def change(protocol: Path):
            for name, session, end in (("killed", "initialized", "kill\n"),
                                       ("ended", "initialized", ""),
                                       ("closed", "noHandshake", "")):
                (protocol / "cases" / "base" / f"{name}.rpc").write_text(
                    f"# Again.\nproves: TOY-001\nsession: {session}\n"
                    f'put count "6"\n{add % (7, 7)}{end}restart\n{add % (8, 8)}'
                    "put sub/a {}\ntake sub/a\ntake count\nrestart\n" + add % (1, 1))
        status, output = self.with_toy(change)
        self.assertEqual(status, 0, output)
        self.assertIn("10 passed, 0 failed", output)

    def test_a_known_failure_is_tolerated_and_a_passing_one_is_not(self):
        def broken(protocol: Path):
            (protocol / "cases" / "base" / "wrong.rpc").write_text(
                "# Wrong.\nproves: TOY-001\nbarrier\n"
                '<< {"jsonrpc":"2.0","method":"notesChanged","params":{"revision":1}}\n')
            (protocol / "cases" / "baseline.txt").write_text(f"base/wrong.rpc {comment}\n")

        def hasty(protocol: Path):
            baseline = protocol / "cases" / "baseline.txt"
            baseline.write_text("base/full.rpc\ncoverage: error full\n")

        comment = "# not done yet"
        status, output = self.with_toy(lambda protocol: (broken(protocol), eof_first(protocol)))
        self.assertEqual(status, 0, output)
        status, output = self.with_toy(hasty)
        self.assertEqual(status, 1, output)
        self.assertIn("base/full.rpc: it passes, but baseline.txt lists it", output)
        self.assertIn("the error full as uncovered; it is covered", output)

    def test_a_file_that_cannot_be_read_stops_everything(self):
        def change(protocol: Path):
            (protocol / "cases" / "base" / "odd.rpc").write_text("# Odd.\nproves: TOY-009\n")
        status, output = self.with_toy(change)
        self.assertEqual(status, 2, output)
        self.assertIn("odd.rpc:1: proves TOY-009, which requirements.json lacks", output)


def eof_first(protocol: Path) -> None:
    """Ends the input before the impossible expectation, so that no hang guard is needed."""
    path = protocol / "cases" / "base" / "wrong.rpc"
    path.write_text(path.read_text().replace("barrier\n", "barrier\neof\n"))


class TheMetaSchema(unittest.TestCase):
    def setUp(self):
        try:
            import jsonschema
        except ImportError:
            print("skipped: the Python package jsonschema is not installed", file=sys.stderr)
            self.skipTest("the Python package jsonschema is not installed")
        self.schema = json.loads((REAL / "meta.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(self.schema)
        self.validator = jsonschema.Draft202012Validator(self.schema)

    def test_every_domain_file_is_valid(self):
        for path in sorted((REAL / "domains").glob("*.json")) + [TOY / "domains" / "toy.json"]:
            with self.subTest(path.name):
                domain = json.loads(path.read_text(encoding="utf-8"))
                errors = [f"{e.json_path}: {e.message}" for e in self.validator.iter_errors(domain)]
                self.assertEqual(errors, [])

    def test_the_vocabulary_is_closed(self):
        path = REAL / "domains" / "nutrition.json"

        def full(domain):
            return next(r for r in domain["requests"] if "plain" not in r and r["params"])

        for change in (
            lambda d: full(d).update(efect="write"),
            lambda d: full(d).update(effect="writes"),
            lambda d: full(d)["params"][0].update(type="uuid4 "),
            lambda d: full(d)["params"][0].update(maximun=3),
            lambda d: full(d).pop("errors"),
            lambda d: d["types"][0].pop("open"),
            lambda d: d["types"][1].update(kind="record"),
            lambda d: d["types"][1]["members"][0].pop("doc"),
            lambda d: d["notifications"][0].update(delivery="often"),
            lambda d: full(d)["examples"][0].pop("result"),
            lambda d: d.update(title=3),
        ):
            domain = json.loads(path.read_text(encoding="utf-8"))
            change(domain)
            with self.subTest():
                self.assertFalse(self.validator.is_valid(domain))


if __name__ == "__main__":
    unittest.main()
