"""The messages of both sides so far, and whether the service's next message is allowed."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Dict, List, Optional, Set, Tuple

from forms import Invalid
from jsontext import Number, values_within
from schema import Check, Protocol

Key = Tuple[str, str]
ERROR_MEMBERS = [{"name": "code", "type": "int"}, {"name": "message", "type": "string", "minLength": 1},
                 {"name": "data", "type": "ErrorData"}]
NO_REACH = {"serverNotInitialized", "invalidParams", "invalidRequest"}
LOOSE_ID = re.compile(r'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|null)')


class Unlawful(Exception):
    """The service sent something the protocol does not allow, even if the case expects it."""


def key_of(identity: Any) -> Optional[Key]:
    """An id as type and lexeme, so that 1, 1.0 and "1" differ; None for another type."""
    if identity is None:
        return ("null", "null")
    if isinstance(identity, str):
        return ("string", identity)
    if isinstance(identity, Number):
        return ("number", identity.lexeme)
    return None


class Seen:
    """The items that a case has exercised."""

    def __init__(self) -> None:
        self.methods: Set[str] = set()
        self.notifications: Set[str] = set()
        self.errors: Set[str] = set()
        self.types: Set[str] = set()

    def add(self, other: "Seen") -> None:
        """Adds the items of another run."""
        for kind in vars(self):
            getattr(self, kind).update(getattr(other, kind))


class Work:
    """The progress on a `workDoneToken`: begins once, never falls, ends once."""

    def __init__(self) -> None:
        self.begun = self.ended = False
        self._percentage = Decimal(0)

    def report(self, value: dict) -> None:
        """Records a `WorkProgress`; raises `Unlawful` if it is out of order."""
        kind = value["kind"]
        if self.ended or (kind == "begin") == self.begun:
            raise Unlawful(f"{kind!r} out of order; expected begin once, reports, end once")
        self.begun, self.ended = True, kind == "end"
        if "percentage" in value:
            if value["percentage"].value < self._percentage:
                raise Unlawful(f"the percentage falls to {value['percentage']}")
            self._percentage = value["percentage"].value


class Conversation:
    """Follows requests to their answers and checks every message of the service."""

    def __init__(self, protocol: Protocol, handshake: bool) -> None:
        self.protocol = protocol
        self.seen = Seen()
        # Requests by id, oldest first, each with whether it counts for coverage; a case may use an id twice to
        # test that.
        self._open: Dict[Key, List[Tuple[Optional[dict], bool]]] = {}
        self._works: Dict[Key, Work] = {}
        # The request id of each token in use.
        self._owners: Dict[tuple, tuple] = {}
        self._partial: Dict[Key, str] = {}
        self._capabilities: Set[str] = set()
        self._initialized = not handshake

    def restart(self, handshake: bool) -> None:
        """Begins a session with another process, without pending requests; coverage is kept."""
        self._open, self._works, self._partial, self._owners, self._capabilities = {}, {}, {}, {}, set()
        self._initialized = not handshake

    # MARK: the client's side

    def sent(self, value: Any, counted: bool = True) -> None:
        """Records a message or batch sent to the service; the runner's own messages are not `counted` for coverage."""
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict):
                self._note(message, counted)

    def sent_raw(self, data: bytes) -> None:
        """Records the requests that can be recognised in raw bytes."""
        text = data.decode("utf-8", "replace")
        values = values_within(text)
        for value in values:
            self.sent(value)
        if not values:
            for match in LOOSE_ID.finditer(text):
                lexeme = match.group(1)
                identity = None if lexeme == "null" else (
                    lexeme[1:-1] if lexeme.startswith('"') else Number(lexeme))
                self._open.setdefault(key_of(identity), []).append((None, True))

    def _note(self, message: dict, counted: bool) -> None:
        method, params = message.get("method"), message.get("params")
        answers = "method" not in message and ("result" in message or "error" in message)
        if "id" in message and not answers:
            key = key_of(message["id"])
            if key is not None:
                self._open.setdefault(key, []).append((message, counted))
        if answers and "result" in message:
            self._note_answer(message["result"])
        if not isinstance(method, str):
            return
        declared = self.protocol.requests.get(method) or self.protocol.notifications.get(method)
        if counted and declared and isinstance(params, dict):
            self._note_types(declared, params)
        if "id" not in message and method in self.protocol.notifications:
            if counted:
                self.seen.notifications.add(method)
            self._initialized = self._initialized or method == "initialized"
        if isinstance(params, dict):
            self._note_tokens(message, method, params)
            capabilities = params.get("capabilities")
            if method == "initialize" and isinstance(capabilities, dict):
                self._capabilities |= capabilities.keys()

    def _note_answer(self, result: Any) -> None:
        """The types in an answer to the service, over all its requests whose declared result fits."""
        for method, declared in self.protocol.requests.items():
            if declared["direction"] == "serverToClient":
                check = Check(self.protocol)
                try:
                    check.result(method, result)
                    self.seen.types |= check.met
                except Invalid:
                    pass

    def _note_types(self, declared: dict, params: dict) -> None:
        for member in declared["params"]:
            if member["name"] in params:
                check = Check(self.protocol)
                try:
                    check.value(member, params[member["name"]], "params")
                    self.seen.types |= check.met
                except Invalid:
                    pass

    def _note_tokens(self, message: dict, method: str, params: dict) -> None:
        declared = self.protocol.requests.get(method, {})
        if not declared.get("progress") or "id" not in message:
            return
        work = key_of(params.get("workDoneToken"))
        partial = key_of(params.get("partialResultToken"))
        # A token in use belongs to the request that has it.
        owner = key_of(message["id"])
        if "workDoneToken" in params and work is not None and self._owners.setdefault(work, owner) == owner:
            self._works[work] = Work()
        if "partialItem" in declared and "partialResultToken" in params and partial is not None:
            if self._owners.setdefault(partial, owner) == owner:
                self._partial[partial] = declared["partialItem"]

    def unanswered(self) -> List[str]:
        """The requests that the service owes an answer to, for people."""
        return [f"{request.get('method')} with the id {request['id']}"
                for waiting in self._open.values() for request, _ in waiting
                # A message without an id is answered without one, like an unreadable one.
                if request is not None and request["id"] is not None]

    # MARK: the service's side

    def received(self, message: Any) -> None:
        """Checks a message of the service; raises `Unlawful`."""
        try:
            if isinstance(message, list):
                if not message:
                    raise Unlawful("an empty batch")
                for item in message:
                    if not isinstance(item, dict) or "method" in item:
                        raise Unlawful("a batch that does not consist of answers")
                    self._received(item)
            else:
                self._received(message)
        except Invalid as error:
            raise Unlawful(str(error)) from None

    def _received(self, message: Any) -> None:
        if not isinstance(message, dict):
            raise Unlawful("a message that is no object")
        if message.get("jsonrpc") != "2.0":
            raise Unlawful('a message without "jsonrpc":"2.0"')
        if "method" in message:
            self._call(message)
        else:
            self._answer(message)

    def _only(self, message: dict, names: Set[str]) -> None:
        for name in message:
            if name not in names:
                raise Unlawful(f"a message with the member {name!r}")

    def _call(self, message: dict) -> None:
        method, request = message["method"], "id" in message
        self._only(message, {"jsonrpc", "id", "method", "params"})
        table = self.protocol.requests if request else self.protocol.notifications
        declared = table.get(method) if isinstance(method, str) else None
        if declared is None or declared["direction"] == "clientToServer":
            raise Unlawful(f"{method!r}, which the service does not send")
        if request and key_of(message["id"]) in (None, ("null", "null")):
            raise Unlawful("a request whose id is neither text nor a number")
        needs = declared.get("requires")
        if needs and needs not in self._capabilities:
            raise Unlawful(f"{method!r} to a client without the capability {needs!r}")
        if declared.get("delivery") in ("state", "startup") and not self._initialized:
            raise Unlawful(f"the event {method!r} before `initialized`")
        check = Check(self.protocol)
        check.members(declared["params"], message.get("params", {}), "params")
        if method == "$/progress":
            self._progress(check, message["params"])
        self.seen.types |= check.met
        (self.seen.methods if request else self.seen.notifications).add(method)

    def _progress(self, check: Check, params: dict) -> None:
        key, value = key_of(params["token"]), params["value"]
        if key in self._partial:
            check.value({"type": f"array<{self._partial[key]}>"}, value, "params/value")
        elif key in self._works:
            check.value({"type": "WorkProgress"}, value, "params/value")
            self._works[key].report(value)
        else:
            raise Unlawful(f"progress on {params['token']!r}, no token of a request in flight")

    def _answer(self, message: dict) -> None:
        if "id" not in message or (("result" in message) == ("error" in message)):
            raise Unlawful("an answer without id, or without exactly one of result and error")
        self._only(message, {"jsonrpc", "id", "result", "error"})
        key = key_of(message["id"])
        if key is None:
            raise Unlawful(f"an answer with the id {message['id']!r}")
        if key == ("null", "null") and "error" in message:
            self.seen.add(self._error(message["error"], None, known=False))
            return
        waiting = self._open.get(key, [])
        if not waiting:
            raise Unlawful(f"an answer to {message['id']!r}, which is no request in flight")
        first: Optional[Invalid] = None
        # Requests only guessed from bytes come last, so that they take no other request's answer.
        waiting.sort(key=lambda entry: entry[0] is None)
        for index, (request, counted) in enumerate(waiting):
            try:
                seen = self._check_answer(message, request)
            except Invalid as error:
                first = first or error
            else:
                if counted:
                    self.seen.add(seen)
                del waiting[index]
                self._forget_tokens(request)
                return
        raise first

    def _forget_tokens(self, request: Optional[dict]) -> None:
        params = request.get("params") if request else None
        if not isinstance(params, dict):
            return
        work = None
        for token in (key_of(params.get("workDoneToken")), key_of(params.get("partialResultToken"))):
            if token in self._owners and self._owners[token] == key_of(request.get("id")):
                del self._owners[token]
                work = self._works.pop(token, None) or work
                self._partial.pop(token, None)
        if work is not None and work.begun and not work.ended:
            raise Unlawful("an answer while the progress on its token has not ended")

    def _check_answer(self, message: dict, request: Optional[dict]) -> Seen:
        """The items that an answer to a request exercises; raises `Invalid` if it is not a valid answer."""
        method = request.get("method") if request else None
        method = method if isinstance(method, str) else None
        if "error" in message:
            seen = self._error(message["error"], method, known=request is not None)
            # An error covers its method, unless it is only a general one such as a lifecycle or params error.
            declared = self.protocol.requests.get(method or "", {}).get("errors", [])
            seen.methods.update({method} if (seen.errors - NO_REACH) & set(declared) else ())
            return seen
        seen = Seen()
        if method is None:
            if request is not None:
                raise Invalid("a result for a message that names no method")
            return seen
        if method not in self.protocol.requests:
            raise Invalid(f"a result of {method!r}, which the protocol does not have")
        check = Check(self.protocol)
        check.result(method, message["result"])
        seen.types = check.met
        seen.methods.add(method)
        return seen

    def _error(self, error: Any, method: Optional[str], known: bool) -> Seen:
        check = Check(self.protocol)
        check.members(ERROR_MEMBERS, error, "error")
        data = error["data"]
        declared = self.protocol.errors.get(data["name"])
        if declared is None:
            raise Invalid(f"error/data/name: no error is named {data['name']!r}")
        if error["code"].value != declared["code"]:
            raise Invalid(f"error/code: {data['name']} is {declared['code']}, "
                          f"found {error['code']}")
        if data["retry"] != declared["retry"]:
            raise Invalid(f"error/data/retry: {data['name']} is {declared['retry']}")
        if known and data["name"] not in self.protocol.errors_of(method):
            raise Invalid(f"error/data/name: {method} does not declare {data['name']}")
        seen = Seen()
        seen.types = check.met
        seen.errors.add(data["name"])
        return seen
