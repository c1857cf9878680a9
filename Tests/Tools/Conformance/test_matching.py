"""What matches what."""

from __future__ import annotations

import unittest

from support import NOTES, TOY

from jsontext import parse  # noqa: E402
from matching import Matcher, Mismatch, fill_in, names_used, prepared  # noqa: E402
from schema import Protocol  # noqa: E402


class Matching(unittest.TestCase):
    def match(self, pattern: str, value: str, protocol=TOY, **bindings):
        matcher = Matcher(Protocol(protocol))
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
            ('"$methods:debug"', '[{"name":"toys/count"}]'), ('"$methods:release"', "[]"),
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

    def test_the_methods_of_a_build_are_those_that_are_declared(self):
        names = Protocol(TOY).methods_of("debug")
        self.assertIn(names[0], Protocol(TOY).requests)
        self.match('"$methods:debug"', "[" + ",".join(f'{{"name":"{name}","doc":1}}' for name in names) + "]")
        self.assertEqual(set(Protocol(TOY).methods_of("release")), set(names) - Protocol(TOY).debug_only)

    def test_any_order_gives_each_pattern_a_message_of_its_own(self):
        matcher = Matcher(Protocol(TOY))
        values = parse('[{"a":1},{"a":2}]')
        matcher.match_any_order(parse('["$any",{"a":1}]'), values, {})
        with self.assertRaises(Mismatch):
            matcher.match_any_order(parse('[{"a":1},{"a":1}]'), values, {})

    def test_the_place_is_told_of_a_match_and_a_difference(self):
        for pattern, value in (
            ("1", "1.0"), ("100", "1e2"), ("0", "-0.0"), ("1.50", "15e-1"),
            ("12345678901234567890", "12345678901234567890.0"), ("null", "null"), ("true", "true"),
            ('"a"', '"\\u0061"'), ("[]", "[]"), ('{"a":1,"b":2}', '{"b":2,"a":1}'), ('"$any"', "null"),
            ('"$string"', '""'), ('"$int"', "-3"), ('"$time"', '"23:59"'), ('"$type:Level"', '"low"'),
            ('"$re:a+b?"', '"aaa"'), ('"$re:."', '"🍛"'), ('"$re:[0-9]{2}\\\\.x"', '"12.x"'),
            ('{"a":"$absent"}', "{}"), ('{"$$a":1}', '{"$a":1}'), ('{"a":"$bind:x","b":"$x"}', '{"b":1.0,"a":1}'),
        ):
            with self.subTest(pattern):
                self.match(pattern, value, protocol=NOTES)
        for pattern, value, place in (
            ("1", "2", ""), ("1", "true", ""), ("null", "false", ""), ("[1]", "[2]", "/0"), ('{"a":[{"b":1}]}',
             '{"a":[{"b":2}]}', "/a/0/b"), ('{"a/b":1}', '{"a/b":2}', "/a/b"), ("[1,2]", "[1]", ""),
            ('"$date"', '"1899-12-31"', ""), ('"$time"', '"24:00"', ""), ('"$type:Level"', '"middle"', ""),
            ('"$type:array<int>"', '[1,"2"]', "/1"), ('[1,"$rest"]', "[]", ""),
            ('{"a":1,"$rest":true}', '{"b":1}', "/a"),
            ('{"error":{"code":1}}', '{"error":{"code":1}}', "/error/message"),
            ('{"$$a":1}', '{"$$a":1}', "/$a"), ('{"a":"$bind:x","b":"$x"}', '{"b":2,"a":1}', "/b"),
        ):
            with self.subTest(pattern), self.assertRaises(Mismatch) as caught:
                self.match(pattern, value, protocol=NOTES)
            self.assertEqual(str(caught.exception).split(": ")[0] if place else "", place)

    def test_text_to_send_keeps_its_spelling_but_for_what_is_remembered(self):
        text = '{"id":1.50, "a":"$x","b":["$y","$$x","$/m","a\\"$x"],"a":2}'
        self.assertEqual(fill_in(text, {"x": parse('{"a":7.0}'), "y": "ü"}),
                         '{"id":1.50, "a":{"a":7.0},"b":["ü","$x","$/m","a\\"$x"],"a":2}')
        self.assertEqual(names_used(text), {"x", "y"})

    def test_the_nearest_miss_of_messages_in_any_order_is_told(self):
        matcher = Matcher(Protocol(TOY))
        with self.assertRaises(Mismatch) as caught:
            matcher.match_any_order(parse('[{"a":1},{"a":{"b":2}}]'), parse('[{"a":1},{"a":{"b":3}}]'), {})
        self.assertIn("/a/b: expected 2, found 3 (pattern 2, the nearest miss)", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
