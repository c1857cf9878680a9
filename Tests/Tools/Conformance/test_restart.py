"""Services that are ended or killed in the middle of a case, and started again."""

from __future__ import annotations

import json
import unittest

from support import INFO, failure_of, message

from case import AS_IS, BYTEWISE, ONE_WRITE  # noqa: E402

ASK = ('>> {"jsonrpc":"2.0","id":1,"method":"server/info"}\n'
       '<< {"jsonrpc":"2.0","id":1,"result":{"build":"$bind:b"}}')
SHUT_DOWN = message(id="ID", result=None)
RULES = {"server/info": [INFO], "shutdown": [SHUT_DOWN], "exit": [{"exit": 0}]}


class Restarts(unittest.TestCase):
    def test_a_service_is_started_again_and_what_is_remembered_stays(self):
        for step in ("restart", "kill\nrestart --clock X", "eof\nexit 0\nrestart", "eof\nrestart"):
            for way in (AS_IS, BYTEWISE, ONE_WRITE):
                lines = (f'{ASK}\n{step}\n{ASK}\n>> {{"jsonrpc":"2.0","id":"$b","method":"server/info"}}\n'
                         '<< {"jsonrpc":"2.0","id":"debug","result":"$any"}\nbarrier')
                with self.subTest(step, way=way):
                    self.assertIsNone(failure_of(lines, RULES, way=way, session="none"))

    def test_what_the_new_process_says_has_to_be_owed_by_it(self):
        lines = """>> {"jsonrpc":"2.0","id":7,"method":"exit"}
kill
restart
>> {"jsonrpc":"2.0","id":1,"method":"server/info"}
<< {"jsonrpc":"2.0","id":7,"result":"$any"}"""
        late = {"server/info": [message(id=7, result={"build": "debug"})]}
        self.assertIn("not lawful", failure_of(lines, late).reason)

    def test_an_end_that_is_not_in_order_is_told_where_the_restart_stands(self):
        for rules, lines, words in (
            ({"eof": [{"kill": 6}]}, "eof\nrestart", "was ended by signal 6"),
            ({"shutdown": [{"exit": 0}]}, "\nrestart", "expected the answer to `shutdown`"),
            ({"shutdown": [SHUT_DOWN], "exit": [{"exit": 4}]}, "\nrestart", "with status 0, ended with 4"),
            ({"shutdown": [{"raw": "junk\n"}]}, "\nrestart", "holds no message"),
        ):
            with self.subTest(words):
                failure = failure_of(lines, rules, session="none")
                self.assertIn(words, failure.reason)
                self.assertEqual(failure.line, 4)

    def test_files_are_put_and_taken_on_top_before_the_service_starts(self):
        lines = f"""put a/b {{"c":"$$d"}}
put e "\\u00FF"
{ASK}
put a/f ["$b"]
take a/b
take e
kill
take a/f
restart"""
        self.assertIsNone(failure_of(lines, RULES))
        self.assertIn("there is no file a to take", failure_of("put a {}\ntake a\ntake a", RULES).reason)
        self.assertIn("a/b cannot be written", failure_of(f"put a {{}}\n{ASK}\nput a/b {{}}", RULES).reason)

    def test_what_the_service_is_told_and_finds_follows_the_headers_and_the_restarts(self):
        def found(clock: str, zone: str, *more: str) -> str:
            return json.dumps({"zone": zone, "arguments": ["--clock", clock, "--seed", "1", *more]})[1:-1]

        def ask(*surroundings: str) -> str:
            return ('>> {"jsonrpc":"2.0","id":1,"method":"notes/surroundings"}\n'
                    f'<< {{"jsonrpc":"2.0","id":1,"result":{{{found(*surroundings)}}}}}')
        lines = f"""clock: 2026-01-05T23:30:00Z
zone: Europe/Berlin
args: --more 1
initialize: {{"timeZone":"Asia/Tokyo"}}
capabilities: {{"confirm":{{}}}}
put notes/a "x"
{ask("2026-01-05T23:30:00Z", "Europe/Berlin", "--more", "1")}
>> {{"jsonrpc":"2.0","id":2,"method":"notes/handshake"}}
<< {{"jsonrpc":"2.0","id":2,"result":{{"capabilities":{{"confirm":{{}}}},"timeZone":"Asia/Tokyo"}}}}
zone UTC
restart --clock Z
{ask("2026-01-05T23:30:00Z", "UTC", "--more", "1", "--clock", "Z")}"""
        rules = {**RULES, "notes/surroundings": [{"surroundings": True}], "notes/handshake": [{"handshake": True}],
                 "initialize": [message(id="ID", result={})]}
        self.assertIsNone(failure_of(lines, rules, session="initialized"))


if __name__ == "__main__":
    unittest.main()
