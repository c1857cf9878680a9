"""What the service may say, beside what a case expects."""

from __future__ import annotations

import unittest

from support import ID, NOTES, TOY

from conversation import Conversation, Unlawful, Work  # noqa: E402
from jsontext import parse  # noqa: E402
from schema import Protocol  # noqa: E402


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


class WhatMayBeSaid(unittest.TestCase):
    """After a request with tokens, of a client that can be asked nothing."""

    ADD = ('{"jsonrpc":"2.0","id":1,"method":"notes/add",'
           '"params":{"text":"a","workDoneToken":"w","partialResultToken":7}}')
    NOTE = '{"id":"%s","text":"a"}' % ID

    def fault(self, message: str, sent: str = ADD) -> str:
        """Why a message is not lawful; nothing when it is."""
        conversation = Conversation(Protocol(NOTES), handshake=False)
        conversation.sent(parse(sent))
        try:
            conversation.received(parse(message))
        except Unlawful as error:
            return str(error)
        return ""

    @staticmethod
    def error(code: int, name: str, message: str = "x", retry: str = "never", identity: str = "1") -> str:
        return ('{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s","data":{"name":"%s","retry":"%s"}}}'
                % (identity, code, message, name, retry))

    @staticmethod
    def progress(token: str, value: str) -> str:
        return '{"jsonrpc":"2.0","method":"$/progress","params":{"token":%s,"value":%s}}' % (token, value)

    def test_this_is_lawful(self):
        for message in (
            '{"jsonrpc":"2.0","id":1,"result":{"note":%s}}' % self.NOTE, self.error(1000, "full"),
            self.error(-32700, "parseError"), self.error(-32700, "parseError", identity="null"),
            '{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}',
            '{"jsonrpc":"2.0","id":"a","method":"client/confirm"}', self.progress('"w"', '{"kind":"begin"}'),
            self.progress("7", "[1,2]"), '[{"jsonrpc":"2.0","id":1,"result":{"note":%s}}]' % self.NOTE,
        ):
            with self.subTest(message):
                self.assertEqual(self.fault(message), "")

    def test_this_is_not_and_why_is_told(self):
        for message, words in (
            ("1", "no object"), ("[]", "empty batch"), ('{"id":1,"result":{"note":%s}}' % self.NOTE, '"jsonrpc":"2.0"'),
            ('{"jsonrpc":2.0,"id":1,"result":{}}', '"jsonrpc":"2.0"'),
            ('{"jsonrpc":"2.0","id":1.0,"result":{"note":%s}}' % self.NOTE, "no request in flight"),
            ('{"jsonrpc":"2.0","id":"1","result":{"note":%s}}' % self.NOTE, "no request in flight"),
            ('{"jsonrpc":"2.0","id":null,"result":{"note":%s}}' % self.NOTE, "no request in flight"),
            ('{"jsonrpc":"2.0","result":{"note":%s}}' % self.NOTE, "without id"),
            ('{"jsonrpc":"2.0","id":{},"result":null}', "an answer with the id"),
            ('{"jsonrpc":"2.0","id":1}', "exactly one of result and error"),
            ('{"jsonrpc":"2.0","id":1,"result":{"note":%s},"error":null}' % self.NOTE, "exactly one of"),
            ('{"jsonrpc":"2.0","id":1,"result":{}}', "result/note: is missing"),
            ('{"jsonrpc":"2.0","id":1,"result":{"note":%s},"x":1}' % self.NOTE, "the member 'x'"),
            ('{"jsonrpc":"2.0","id":1,"result":{"note":%s,"x":1}}' % self.NOTE, "result/x: is not declared"),
            (self.error(1000, "full", message=""), "error/message"),
            ('{"jsonrpc":"2.0","id":1,"error":{"code":1000,"message":"x"}}', "error/data: is missing"),
            # Readers pass over it, but the service has no business saying it.
            (self.error(1000, "full").replace('"retry"', '"more":1,"retry"'), "error/data/more: is not declared"),
            (self.error(1001, "full"), "error/code"), (self.error(1000, "full", retry="later"), "error/data/retry"),
            (self.error(9, "no"), "no error is named 'no'"), (self.error(1001, "other"), "does not declare other"),
            (self.error(-32002, "serverNotInitialized"), "does not declare serverNotInitialized"),
            ('{"jsonrpc":"2.0","method":"nobody"}', "does not send"),
            ('{"jsonrpc":"2.0","method":"exit"}', "does not send"),
            ('{"jsonrpc":"2.0","method":"changed","params":{}}', "params/revision: is missing"),
            ('{"jsonrpc":"2.0","method":"changed"}', "params/revision: is missing"),
            ('{"jsonrpc":"2.0","method":"warm","params":null}', "params: expected an object"),
            ('{"jsonrpc":"2.0","id":1,"method":"changed"}', "does not send"),
            ('{"jsonrpc":"2.0","method":"changed","params":{"revision":1,"x":1}}', "params/x: is not declared"),
            ('{"jsonrpc":"2.0","id":null,"method":"client/confirm"}', "neither text nor a number"),
            ('{"jsonrpc":"2.0","id":1,"method":"server/info"}', "does not send"),
            ('{"jsonrpc":"2.0","id":1,"method":"client/ask"}', "without the capability 'ask'"),
            (self.progress('"w"', "{}"), "params/value/kind: is missing"),
            (self.progress("7", '["a"]'), "params/value/0"),
            (self.progress("8", "[]"), "no token of a request in flight"),
            ('[{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}]', "does not consist of answers"),
        ):
            with self.subTest(message):
                self.assertIn(words, self.fault(message) or "lawful")

    def test_a_request_that_touches_data_may_find_the_app_locked_unless_it_is_marked(self):
        for method, words in (("notes/list", ""), ("notes/count", "does not declare locked"),
                              ("server/info", "does not declare locked")):
            sent = '{"jsonrpc":"2.0","id":1,"method":"%s"}' % method
            fault = self.fault(self.error(1002, "locked"), sent)
            self.assertIn(words, fault)
            self.assertEqual(bool(fault), bool(words))

    def test_a_client_is_asked_for_what_its_capabilities_name_and_told_events_once_it_is_initialized(self):
        conversation = Conversation(Protocol(NOTES), handshake=True)
        event = parse('{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}')
        conversation.sent(parse('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"ask":{}}}}'))
        conversation.received(parse('{"jsonrpc":"2.0","id":1,"method":"client/ask"}'))
        with self.assertRaises(Unlawful):
            conversation.received(event)
        conversation.sent(parse('{"jsonrpc":"2.0","method":"initialized","params":{}}'))
        with self.assertRaises(Unlawful):
            Conversation(Protocol(NOTES), handshake=True).received(event)

    def test_what_was_exercised_is_known_by_name_but_for_what_the_runner_itself_asks(self):
        conversation = Conversation(Protocol(NOTES), handshake=False)
        conversation.sent(parse(self.ADD))
        conversation.sent(parse('{"jsonrpc":"2.0","method":"exit"}'))
        conversation.sent(parse('{"jsonrpc":"2.0","id":"barrier-1","method":"server/info"}'), counted=False)
        for text in ('{"jsonrpc":"2.0","id":1,"result":{"note":%s}}' % self.NOTE,
                     '{"jsonrpc":"2.0","method":"changed","params":{"revision":1}}',
                     '{"jsonrpc":"2.0","id":"barrier-1","result":{"build":"x"}}'):
            conversation.received(parse(text))
        seen = conversation.seen
        self.assertEqual((seen.methods, seen.notifications, seen.errors), ({"notes/add"}, {"exit", "changed"}, set()))
        self.assertIn("Note", seen.types)

    def test_an_error_of_its_own_reaches_a_method_and_one_of_the_connection_does_not(self):
        for error, methods in ((self.error(1000, "full"), {"notes/add"}), (self.error(-32700, "parseError"), set())):
            conversation = Conversation(Protocol(NOTES), handshake=False)
            conversation.sent(parse(self.ADD))
            conversation.received(parse(error))
            self.assertEqual(conversation.seen.methods, methods)


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


if __name__ == "__main__":
    unittest.main()
