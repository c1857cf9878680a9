"""The text of JSON, and the frames it comes in."""

from __future__ import annotations

import unittest

import support  # noqa: F401

from jsontext import NotJSON, parse, parse_bytes, pretty, to_text, values_within  # noqa: E402
from wire import Frames, WireError  # noqa: E402


class TheTextOfJSON(unittest.TestCase):
    def test_numbers_keep_their_spelling_and_compare_by_value(self):
        self.assertEqual(to_text(parse('[7.0,1E2,"é"]')), '[7.0,1E2,"é"]')
        self.assertEqual(parse("7.0"), parse("7"))

    def test_what_is_not_strict_json_is_refused(self):
        for text in (b'{"a":1,"a":2}', b"NaN", b"[1,]", b"1 2", b"\xff", b'"\\ud800"', b"",
                     b"\xef\xbb\xbf1", b'"\x01"'):
            with self.subTest(text), self.assertRaises(NotJSON):
                parse_bytes(text)

    def test_what_is_shown_to_people_is_short_or_on_lines_of_its_own_and_ends_somewhere(self):
        self.assertEqual(pretty(parse('{"a":[1.0,2]}')), '{"a":[1.0,2]}')
        self.assertEqual(pretty(["x" * 99, {}]), '[\n  "' + "x" * 99 + '",\n  {}\n]')
        self.assertTrue(pretty(["x" * 99] * 99).endswith("… 41 lines more"))

    def test_requests_are_recognised_within_raw_bytes(self):
        text = 'Content-Length: 8\r\n\r\n{"id":1}{bad [{"id":"x"}]'
        self.assertEqual([to_text(v) for v in values_within(text)], ['{"id":1}', '[{"id":"x"}]'])


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


if __name__ == "__main__":
    unittest.main()
