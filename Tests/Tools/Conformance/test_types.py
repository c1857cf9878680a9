"""Values against declared types."""

from __future__ import annotations

import unittest

from support import ID, NOTES, TOY

from forms import Invalid  # noqa: E402
from jsontext import parse  # noqa: E402
from schema import Check, Protocol  # noqa: E402


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

    def test_a_note_is_one_or_the_place_at_fault_is_told(self):
        protocol = Protocol(NOTES)

        def check(more):
            Check(protocol).value({"type": "Note"}, parse('{"id":"%s","text":"Tea"%s}' % (ID, more)), "")
        for more in (
            "", ',"level":null', ',"level":"low"', ',"weight":"10"', ',"weight":"0.25"', ',"weight":"10.00"',
            ',"count":9.0', ',"restMs":0', ',"ratio":1.5e3', ',"token":"a","any":null', ',"token":7',
            ',"day":"2200-12-31"', ',"hour":"00:00"', ',"hour":"23:59"', ',"at":"2026-01-05T12:00:00.999Z"',
            ',"zone":"America/Argentina/Buenos_Aires"', ',"any":[{}]', ',"named":{"a":1,"b":2}',
            ',"parts":[{"id":"%s","text":"🍛🍛🍛🍛🍛"}]' % ID,
        ):
            with self.subTest(more):
                check(more)
        for more, place in (
            (',"colour":1', "/colour"), (',"level":"middle"', "/level"), (',"level":1', "/level"),
            (',"weight":null', "/weight"), (',"weight":3', "/weight"), (',"weight":"10.01"', "/weight"),
            (',"weight":"-0.1"', "/weight"), (',"weight":"1.234"', "/weight"), (',"weight":"01"', "/weight"),
            (',"weight":".5"', "/weight"), (',"weight":"5."', "/weight"), (',"weight":"1e1"', "/weight"),
            (',"weight":"٣"', "/weight"), (',"count":10', "/count"), (',"count":-1', "/count"),
            (',"count":1.5', "/count"), (',"count":"1"', "/count"), (',"restMs":-1', "/restMs"),
            (',"restMs":9007199254740992', "/restMs"), (',"ratio":"1"', "/ratio"), (',"ratio":1e999', "/ratio"),
            (',"token":1.5', "/token"), (',"token":null', "/token"), (',"day":"2201-01-01"', "/day"),
            (',"hour":"24:00"', "/hour"), (',"hour":"07:30:00"', "/hour"), (',"hour":730', "/hour"),
            (',"at":"2026-01-05"', "/at"), (',"at":"2026-01-05T24:00:00.000Z"', "/at"),
            (',"at":"2026-02-30T12:00:00.000Z"', "/at"), (',"zone":""', "/zone"), (',"zone":"a//b"', "/zone"),
            (',"named":{"a":"1"}', "/named/a"), (',"parts":{}', "/parts"),
            (',"parts":[{"id":"1","text":"a"}]', "/parts/0/id"), (',"text":"coffee"', "/text"), (',"text":""', "/text"),
        ):
            with self.subTest(more), self.assertRaises(Invalid) as caught:
                check(more) if "text" != place[1:] else Check(protocol).value(
                    {"type": "Note"}, parse('{"id":"%s"%s}' % (ID, more)), "")
            self.assertEqual(str(caught.exception).split(": ")[0], place)
        for text, place in (('{"text":"Tea"}', "/id: "), ("[]", "expected an object"), ("null", "expected an object")):
            with self.subTest(text), self.assertRaises(Invalid) as caught:
                Check(protocol).value({"type": "Note"}, parse(text), "")
            self.assertIn(place, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
