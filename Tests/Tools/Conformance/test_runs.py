"""Whole runs of the program: what passes, what fails, what is covered, and what the command line says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import ID, NOTES, RUNNER, TOLD_SERVER, TOY, TOY_SERVER, message


class Runs(unittest.TestCase):
    """Starts the program."""

    def play(self, *fault: str, protocol: Path = TOY, options=("--variants", "plain"), command=tuple(TOY_SERVER)):
        """Exit status and output of a run against a service that does one thing wrong when told which."""
        done = subprocess.run(
            [sys.executable, str(RUNNER), "--protocol", str(protocol), "--build", "debug", "--jobs", "1", *options,
             "--", *command, *fault],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        return done.returncode, done.stdout

    def copied(self, protocol: Path) -> Path:
        """A protocol that may be changed."""
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        return Path(shutil.copytree(protocol, folder / protocol.name))


class WholeRuns(Runs):
    """Whole runs against a fake service that does one thing wrong when told which."""

    def with_toy(self, change):
        protocol = self.copied(TOY)
        change(protocol)
        return self.play(protocol=protocol)

    def test_a_service_that_is_right_passes_in_every_variant(self):
        status, output = self.play(options=("--jobs", "3"))
        self.assertEqual(status, 0, output)
        self.assertIn("8 passed, 0 failed", output)

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
            "event first": "got:         {\"jsonrpc\":\"2.0\",\"method\":\"notesChanged\"",
            "both": "exactly one of result and error",
            "twice": "which is no request in flight",
            "talkative": "notesChanged may not arrive",
            "cold": "params/at: expected a time of day, HH:MM, found '24:00'",
            "overdue": "params/at: expected a time of day, HH:MM, found '24:00'",
        }.items():
            with self.subTest(fault):
                case = "full" if fault in ("error name", "error code", "status", "talkative") else "answers"
                status, output = self.play("--fault", fault, options=("--variants", "plain", "--only", case))
                self.assertEqual(status, 1, output)
                self.assertIn(message, output)

    def test_an_item_without_a_case_fails(self):
        def change(protocol: Path):
            (protocol / "cases" / "base" / "full.rpc").unlink()
        status, output = self.with_toy(change)
        self.assertEqual(status, 1, output)
        self.assertIn("FAILED coverage: no case that passed reaches error full", output)

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
        self.assertIn("base/any.rpc:4: [", output)
        self.assertIn("base/due.rpc:6: [", output)
        self.assertNotIn("base/not.rpc", output)

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
        self.assertIn("base/another.rpc:5: [all 2 runs]", output)
        self.assertIn("expected silence", output)
        self.assertNotIn("base/first.rpc", output)
        self.assertNotIn("base/bound.rpc", output)

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
        self.assertIn("11 passed, 0 failed", output)

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
        self.assertIn("FAILED base/full.rpc passes now; take it out of baseline.txt", output)
        self.assertIn("FAILED error full is covered now; take it out of baseline.txt", output)

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


class Verdicts(Runs):
    """What a run against a release build comes to, which answers as the protocol says but for what it is told."""

    ADD = """# A case.
%s
session: none
framing: newline
>> {"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"Tea"}}
<< {"jsonrpc":"2.0","id":1,"result":{"note":{"id":"$uuid","text":"Tea"}}}
"""

    def judge(self, note: str = "Tea", cases=(("one", "proves: A-1"),), baseline: str = "", options=()):
        """Exit status and output of a run of these cases alone."""
        protocol = self.copied(NOTES)
        for domain in (protocol / "domains").glob("*.json"):
            content = json.loads(domain.read_text(encoding="utf-8"))
            for request in content["requests"]:
                request["examples"] = []
            domain.write_text(json.dumps(content), encoding="utf-8")
        for name, headers in cases:
            (protocol / "cases" / f"{name}.rpc").write_text(self.ADD % headers, encoding="utf-8")
        (protocol / "cases" / "baseline.txt").write_text(baseline, encoding="utf-8")
        rules = {"notes/add": [message(id="ID", result={"note": {"id": ID, "text": note}})],
                 "server/info": [message(id="ID", result={"build": "release"})]}
        done = subprocess.run(
            [sys.executable, str(RUNNER), "--protocol", str(protocol), "--variants", "plain", "--jobs", "1", *options,
             *TOLD_SERVER, json.dumps(rules)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        return done.returncode, done.stdout

    def missed(self, output: str):
        """The items that no case reaches."""
        before = "FAILED coverage: no case that passed reaches "
        return {line[len(before):] for line in output.split("\n") if line.startswith(before)}

    def test_names_that_no_case_reaches_fail_the_run_each_by_its_kind(self):
        status, output = self.judge()
        missed = self.missed(output)
        self.assertEqual(status, 1, output)
        self.assertLessEqual({"requirement A-2", "error full", "method initialize", "type Level", "notification changed"},
                             missed)
        self.assertFalse({"requirement A-1", "method notes/add", "type Note"} & missed)
        # The build is asked, which covers nothing.
        self.assertIn("method server/info", missed)
        self.assertTrue(output.endswith(f"1 passed, {len(missed)} failed\n"), output)
        self.assertIn("against the release build of", output)
        self.assertEqual(self.judge(options=("--only", "one"))[0], 0)

    def test_what_the_debug_build_alone_can_cover_is_demanded_with_a_debug_run_only(self):
        cases = (("one", "proves: A-1"), ("two", "proves: A-2\nbuild: debug"))
        missed = self.missed(self.judge(cases=cases)[1])
        self.assertFalse({"requirement A-2", "method debug/fail", "method notes/add"} & missed)
        with tempfile.TemporaryDirectory() as folder:
            earlier, both = Path(folder) / "debug.json", Path(folder) / "both.json"
            earlier.write_text('{"builds":["debug"],"error":{"full":2},"method":{"notes/add":3}}', encoding="utf-8")
            missed = self.missed(self.judge(
                cases=cases, options=("--coverage-in", str(earlier), "--coverage-out", str(both)))[1])
            self.assertLessEqual({"requirement A-2", "method debug/fail"}, missed)
            self.assertNotIn("error full", missed)
            written = json.loads(both.read_text(encoding="utf-8"))
            self.assertEqual(written["builds"], ["debug", "release"])
            self.assertEqual((written["method"]["notes/add"], written["error"]["full"]), (4, 2))
            again = self.missed(self.judge(cases=cases, options=("--coverage-in", str(both)))[1])
            self.assertEqual(again, missed)
        status, output = self.judge(options=("--coverage-in", "/nonexistent.json"))
        self.assertEqual(status, 2, output)

    def test_a_case_that_fails_is_told_with_its_place_what_was_expected_and_what_came(self):
        status, output = self.judge("Mud", options=("--only", "one", "--verbose"))
        self.assertEqual(status, 1, output)
        for words in ("cases/one.rpc:6: [newline, as is]\n", '  /result/note/text: expected "Tea", found "Mud"\n',
                      "  expected:    <<", "  got:         {", "  transcript:  >>", "  failed one.rpc [newline, as is]",
                      "0 passed, 1 failed"):
            self.assertIn(words, output)

    def test_a_known_failure_is_no_failure_and_one_that_begins_to_pass_is_one(self):
        status, output = self.judge("Mud", baseline="one.rpc", options=("--only", "one"))
        self.assertEqual(status, 0, output)
        self.assertIn("known to fail: one.rpc", output)
        self.assertEqual(self.judge(baseline="one.rpc", options=("--only", "one"))[0], 1)
        self.assertIn("FAILED two.rpc is no case", self.judge(baseline="two.rpc")[1])
        self.assertNotIn("error full", self.missed(self.judge(baseline="coverage: error full")[1]))
        self.assertIn("FAILED method notes/add is covered now", self.judge(baseline="coverage: method notes/add")[1])
        self.assertEqual(self.judge(baseline="coverage: error")[0], 2)

    def test_failures_alike_are_told_once(self):
        status, output = self.play("--fault", "wrong value", options=())
        self.assertEqual(status, 1, output)
        self.assertEqual(output.count("base/answers.rpc:"), 1, output)
        self.assertIn("[all 6 runs]", output)


class TheCommandLine(Runs):
    """What the words mean."""

    def run_with(self, *words: str):
        """Exit status and output."""
        done = subprocess.run([sys.executable, str(RUNNER), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", check=False)
        return done.returncode, done.stdout

    def test_the_first_word_that_is_no_option_begins_the_command(self):
        toy = ("--protocol", str(TOY), "--variants", "plain", "--only", "answers")
        for words in (TOY_SERVER, ["--", *TOY_SERVER]):
            status, output = self.run_with(*toy, *words, "--fault", "wrong value")
            self.assertEqual(status, 1, output)

    def test_names_are_listed_without_a_service(self):
        status, output = self.run_with("--protocol", str(TOY), "--list", "--only", "base/")
        self.assertEqual((status, output), (0, "base/answers.rpc\nbase/full.rpc\nbase/garbage.rpc\nbase/handshake.rpc\n"))

    def test_what_cannot_be_run_is_told_with_status_2(self):
        toy = ("--protocol", str(TOY))
        for words, complaint in (
            (toy, "no command was given"), (("--protocol",), "expected one argument"),
            (("--framing", "odd"), "invalid choice"), (("--jobs", "0"), "--jobs"), (("--jobs", "65"), "--jobs"),
            (("--nothing",), "--nothing"), ((*toy, "/nonexistent/daybook"), "cannot be started: /nonexistent/daybook"),
            ((*toy, "--only", "nowhere", *TOY_SERVER), "no case is selected"),
            (("--protocol", "/nonexistent", "x"), "protocol.json"),
        ):
            with self.subTest(words):
                status, output = self.run_with(*words)
                self.assertEqual(status, 2, output)
                self.assertIn(complaint, output)

    def test_a_service_that_does_not_say_how_it_was_built_fails(self):
        status, output = self.run_with("--protocol", str(TOY), sys.executable, "-c", "")
        self.assertEqual(status, 1, output)
        self.assertIn("ended before it answered server/info", output)

    def test_help_is_given(self):
        status, output = self.run_with("--help")
        self.assertEqual(status, 0)
        self.assertIn("--coverage-in", output)


if __name__ == "__main__":
    unittest.main()
