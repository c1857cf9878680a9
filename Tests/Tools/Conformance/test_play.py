"""Cases against services that are right, and that are wrong in one thing each."""

from __future__ import annotations

import json
import unittest
from unittest import mock

from support import ID, INFO, NOTES, REPLY, TOLD_SERVER, event, failure_of, message, seen_of

import wire  # noqa: E402
from case import AS_IS, BYTEWISE, ONE_WRITE  # noqa: E402
from examples import examples  # noqa: E402
from play import Failed, Play  # noqa: E402
from runner import detect_build  # noqa: E402
from schema import Protocol  # noqa: E402

CALL = '>> {"jsonrpc":"2.0","id":7.0,"method":"notes/add","params":{"text":"Tea"}}'
ANSWER = '<< {"jsonrpc":"2.0","id":7.0,"result":{"note":{"id":"%s","text":"Tea"}}}' % ID
ASK = '>> {"jsonrpc":"2.0","id":1,"method":"server/info"}'
ADD = '{"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"Tea"}}'


def told(method: str, level: str = "low") -> str:
    """A notification with a level."""
    return message(method=method, params={"level": level})


def error(name: str, code: int) -> str:
    """An error in answer to a request."""
    return message(id="ID", error={"code": code, "message": "x", "data": {"name": name, "retry": "never"}})


class Answers(unittest.TestCase):
    def test_a_right_answer_passes_in_every_framing_and_way_of_writing(self):
        lines = f"""{CALL}
{ANSWER}
<<? {{"jsonrpc":"2.0","method":"changed","$rest":true}}
barrier
>> {{"jsonrpc":"2.0","method":"exit"}}
exit 3
stderr gone"""
        rules = {"notes/add": [REPLY, event()], "server/info": [INFO], "exit": [{"stderr": "gone"}, {"exit": 3}]}
        for framing in ("header", "newline"):
            for way in (AS_IS, BYTEWISE, ONE_WRITE):
                with self.subTest(framing=framing, way=way):
                    self.assertIsNone(failure_of(lines, rules, framing, way))

    def test_a_wrong_answer_fails_at_the_line_that_expects_it(self):
        note = {"id": ID, "text": "Tea"}
        for name, actions, words, line in (
            ("wrong id", [message(id=7, result=None)], "not lawful", 4),
            ("twice", [REPLY, REPLY], "not lawful", 5),
            ("event first", [event(), REPLY], "/id: is missing", 4),
            ("nothing in it", ["{}"], "not lawful", 4),
            ("no JSON", ["{"], "stdout holds no message", 4),
            ("a member twice", ['{"jsonrpc":"2.0","jsonrpc":"2.0"}'], "stdout holds no message", 4),
            ("text outside frames", [{"raw": "oops\n"}], "stdout holds no message", 4),
            ("an empty line", [{"raw": "\n"}], "stdout has an empty line", 4),
            ("no UTF-8", [{"raw": '{"a":"\u00ff"}\n'}], "stdout holds no message", 4),
            ("a missing answer", [{"exit": 0}], "the end of its output", 4),
            ("half an answer", [{"raw": "{"}, {"exit": 0}], "ends within a message", 4),
            ("a crash", [{"kill": 9}], "the end of its output", 4),
            ("another text", [message(id="ID", result={"note": {**note, "text": "Mud"}})], "/result/note/text:", 4),
            ("a wrong type", [message(id="ID", result={"note": {**note, "weight": 3}})], "result/note/weight:", 4),
            ("a missing member", [message(id="ID", result={"note": {"id": ID}})], "result/note/text: is missing", 4),
            ("a member too many", [message(id="ID", result={"note": note, "more": 1})], "result/more:", 4),
            ("a declared error", [error("full", 1000)], "/result: is missing", 4),
            ("an undeclared error", [error("other", 1001)], "notes/add does not declare other", 4),
            ("an unknown error", [error("nobody", 1001)], "no error is named", 4),
            ("another code", [error("full", 1001)], "full is 1000", 4),
            ("not its capability", [message(id="x", method="client/ask"), REPLY], "without the capability 'ask'", 4),
        ):
            with self.subTest(name):
                failure = failure_of(f"{CALL}\n{ANSWER}\nbarrier", {"notes/add": actions, "server/info": [INFO]})
                self.assertIsNotNone(failure)
                self.assertIn(words, failure.reason)
                self.assertEqual(failure.line, line)

    def test_a_service_that_ends_in_order_has_answered_every_request(self):
        lines = CALL + "\n" + ASK + '\n<< {"jsonrpc":"2.0","id":1,"result":"$any"}\neof'
        for step in ("", "\nexit 0", "\nrestart"):
            with self.subTest(step):
                failure = failure_of(lines + step, {"server/info": [INFO]})
                self.assertIn("ended in order without an answer to notes/add with the id 7.0", failure.reason)
        for end in ("\nexit 1", "\nkill"):
            self.assertIsNone(failure_of(lines.replace("\neof", "") + ("\neof" if "exit" in end else "") + end,
                                         {"server/info": [INFO], "eof": [{"exit": 1}]}))

    def test_text_outside_the_frames_of_headers_fails(self):
        for raw in ("oops\n", "content-length: 2\r\n\r\n{}", "Content-Length: 2\r\nX: 1\r\n\r\n{}"):
            failure = failure_of(f"{CALL}\n{ANSWER}", {"notes/add": [{"raw": raw}, REPLY]}, "header")
            self.assertIn("stdout holds no", failure.reason)

    def test_progress_is_reported_in_order_and_ended_before_the_answer(self):
        call = CALL.replace('"text":"Tea"', '"text":"Tea","workDoneToken":"w"')

        def progress(kind: str, **more: object) -> str:
            return message(method="$/progress", params={"token": "w", "value": {"kind": kind, **more}})
        begin, report, end = progress("begin"), progress("report", percentage=5), progress("end")
        lower = progress("report", percentage=4)
        for actions, words in (([begin, report, report, end, REPLY], ""), ([report, begin, end, REPLY], "out of order"),
                               ([begin, end, end, REPLY], "out of order"), ([begin, report, lower], "falls to 4"),
                               ([begin, REPLY], "has not ended"), ([REPLY, begin], "no token of a request in flight")):
            with self.subTest(actions):
                lines = f'{call}\nawait {ANSWER[3:]}\nbarrier'
                failure = failure_of(lines, {"notes/add": actions, "server/info": [INFO]})
                self.assertIn(words, failure.reason if failure else "")
                self.assertEqual(failure is None, not words)

    def test_what_failed_is_told_with_what_was_expected_what_came_and_what_was_said(self):
        wrong = message(id="ID", result={"note": {"id": ID, "text": "Mud"}})
        failure = failure_of(f"{CALL}\n{ANSWER}", {"notes/add": [{"stderr": "mud!"}, wrong]})
        self.assertEqual(failure.expected, ANSWER)
        self.assertIn('"text":"Mud"', failure.found)
        self.assertIn("mud!", failure.complaint)
        self.assertEqual([line[:2] for line in failure.transcript.split("\n")], [">>", "<<"])


class Examples(unittest.TestCase):
    def test_an_event_that_an_example_names_may_come_before_the_answer_and_no_other(self):
        protocol = Protocol(NOTES)
        for named, actions, words in ((["changed"], [event(), REPLY], ""), (["changed"], [REPLY], ""),
                                      ([], [event(), REPLY], "/id: is missing"),
                                      (["changed"], [event(), error("full", 1000)], "/result: is missing"),
                                      (["changed"], [event(), {"exit": 0}], "the end of its output")):
            with self.subTest(actions):
                protocol.requests["notes/add"]["examples"][0]["events"] = named
                example = next(case for case in examples(protocol) if case.name.endswith("“A note”"))
                example.session = "noHandshake"
                play = Play(example, "newline", AS_IS, protocol,
                            TOLD_SERVER + [json.dumps({"notes/add": actions})], [])
                try:
                    play.run()
                    self.assertEqual(words, "")
                except Failed as failed:
                    self.assertTrue(words)
                    self.assertIn(words, failed.failure.reason)


class Steps(unittest.TestCase):
    def check(self, lines, rules, words=None, **options):
        failure = failure_of(lines, rules, **options)
        if words is None:
            self.assertIsNone(failure)
        else:
            self.assertIsNotNone(failure, "it passed")
            self.assertIn(words, failure.reason)
        return failure

    def test_what_a_step_asks_for_is_asked(self):
        refused = error("parseError", -32700)
        info = {"server/info": [INFO]}
        for lines, rules, words in (
            ("barrier", {**info, "eof": [{"exit": 0}]}, None),
            ("barrier", {"server/info": [event()]}, "expected silence"),
            ("<<! changed\nbarrier", {"server/info": [event()]}, "may not arrive"),
            ("<<! changed", {"eof": [event()]}, "may not arrive"),
            ("eof\nexit 2", {"eof": [{"exit": 2}]}, None),
            ("eof\nexit 0", {"eof": [{"exit": 2}]}, "with status 0, ended with 2"),
            ("eof\nexit 0", {"eof": [{"kill": 11}]}, "ended with -11"),
            ("eof\nexit 0\nstderr why", {"eof": [{"stderr": "no reason"}, {"exit": 0}]}, "does not contain"),
            ("eof", {"eof": [{"kill": 6}]}, "was ended by signal 6"),
            ("eof", {"eof": [{"raw": "junk\n"}, {"exit": 0}]}, "holds no message"),
            (">>*3 {\"jsonrpc\":\"2.0\",\"id\":{{i}},\"method\":\"server/info\"}\n"
             "await {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"$any\"}", info, None),
            (ASK + '\nawait {"jsonrpc":"2.0","id":2,"result":"$any"}', {"server/info": [event(), {"exit": 0}]},
             "never came"),
            ('raw "{\\u00FF\\n"\n<< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"","$rest":true}}',
             {"broken": [refused]}, None),
            ('raw "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"server/info\\"}"\nrepeat 100000  \nraw "\\n"\n'
             '<< {"jsonrpc":"2.0","id":1,"result":{"build":"$string"}}', info, None),
            (ASK + '\n<< {"jsonrpc":"2.0","id":1,"result":{"build":"$bind:b"}}\n'
             '>> {"jsonrpc":"2.0","id":"$b","method":"server/info"}\n<< {"jsonrpc":"2.0","id":"debug","result":"$any"}',
             info, None),
            (ASK + '\n<<? {"jsonrpc":"2.0","id":1,"result":{"build":"$bind:b","more":1}}\n'
             '>> {"jsonrpc":"2.0","id":"$b","method":"server/info"}', info, "nothing was remembered as b"),
        ):
            with self.subTest(lines):
                self.check(lines, rules, words)

    def test_what_may_come_at_any_time_is_passed_over_and_counted_unless_the_case_names_it(self):
        for method in ("warm", "due"):
            noise = told(method)
            rules = {"notes/add": [noise, REPLY, noise], "server/info": [INFO]}
            self.check(f"{CALL}\n{ANSWER}\nbarrier", rules)
            self.assertIn(method, seen_of(f"{CALL}\n{ANSWER}\nbarrier", rules).notifications)
            self.check("barrier", {"server/info": [noise, event()]}, "expected silence")
            for step in (f"<<! {method}", f'<< {{"jsonrpc":"2.0","method":"{method}","$rest":true}}',
                         f'<<~ [{{"jsonrpc":"2.0","method":"{method}","$rest":true}}]'):
                failure = self.check(f"{CALL}\n{ANSWER}\n{step}\nbarrier", rules, "")
                self.assertEqual(failure.line, 4)
            unlawful = {"notes/add": [told(method, "cold"), REPLY]}
            self.check(f"{CALL}\n{ANSWER}", unlawful, "not lawful")

    def test_messages_in_any_order_are_each_matched_once(self):
        patterns = ('<<~ [{"jsonrpc":"2.0","method":"changed","params":{"revision":"$int"}},'
                    '{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}]')
        lines = f'>> {{"jsonrpc":"2.0","method":"exit"}}\n{patterns}'
        # The first pattern takes either, so the first try may be wrong.
        self.check(lines, {"exit": [event(1), event(2)]})
        self.check(lines, {"exit": [event(2), event(1)]})
        self.check(lines, {"exit": [event(2), event(2)]}, "/params/revision")
        self.check(lines, {"exit": [event(1), {"exit": 0}]}, "after 1")

    def test_a_hang_is_told_as_one_wherever_it_is(self):
        hang, leave = {"hang": True}, '>> {"jsonrpc":"2.0","method":"exit"}'
        for lines, rules in (
            ("barrier", {"server/info": [hang]}), ("eof\nexit 0", {"eof": [hang]}), ("eof", {"eof": [hang]}),
            (f"{leave}\nrepeat 1000000 x", {"exit": [hang]}),
            (f"{leave}\nundrained stdout\neof\nexit 0", {"exit": [{"raw": "{}"}, hang]}),
        ):
            with self.subTest(lines), mock.patch.object(wire, "HANG_GUARD", 0.5):
                self.check(lines, rules, "hangs: waited 0.5 s")

    def test_what_nobody_reads_holds_up_a_service_that_has_to_end_nevertheless(self):
        # More than a pipe takes: a service that waits for its reader never ends.
        lines = '>> {"jsonrpc":"2.0","method":"exit"}\nundrained stdout\neof\nexit 0'
        with mock.patch.object(wire, "HANG_GUARD", 2.0):
            self.check(lines, {"exit": [{"raw": "x" * 100_000}, {"exit": 0}]}, "hangs")

    def test_a_fixture_has_to_succeed(self):
        fixture = [ADD]
        self.check("eof\nexit 0", {"notes/add": [REPLY]}, fixture=fixture)
        for rules in ({}, {"notes/add": [REPLY], "eof": [{"exit": 1}]}, {"notes/add": [REPLY, REPLY]}):
            failure = self.check("eof", rules, "the fixture: ", fixture=fixture)
            self.assertEqual(failure.line, 0)

    def test_a_folder_in_a_state_of_its_own_is_made_so_or_that_is_told(self):
        for state, words in (("held", "the lock of the folder cannot be had"), ("full", None),
                             ("newer", "the folder cannot be made newer"), ("damaged", "cannot be made damaged")):
            with self.subTest(state):
                self.check(f"fixture: tea\nfolder: {state}\neof\nexit 0", {"notes/add": [REPLY]}, words, fixture=[ADD])

    def test_a_command_that_cannot_be_started_is_told_as_such(self):
        with self.assertRaises(wire.Unstartable) as caught:
            detect_build(["/nonexistent/daybook"])
        self.assertIn("cannot be started: /nonexistent/daybook", str(caught.exception))

    def test_a_service_inherits_its_three_pipes_and_nothing_else(self):
        program = "import os; print([n for n in range(3, 256) if os.path.exists(f'/proc/self/fd/{n}')])"
        command = [TOLD_SERVER[0], "-c", program]
        with wire.Service(TOLD_SERVER + ["{}"], "newline", wire.environment()):
            with wire.Service(command, "newline", wire.environment()) as service:
                self.assertEqual(service.next_message("its descriptors"), [])


if __name__ == "__main__":
    unittest.main()
