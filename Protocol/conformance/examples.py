"""The examples of the domain files as conformance cases."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, List

from case import BUILDS, SESSIONS, Case, CaseError, Step
from jsontext import parse
from matching import BadPattern, check_pattern, prepared
from schema import Check, Invalid, Protocol


def examples(protocol: Protocol) -> Iterator[Case]:
    """Each example of a domain file as a separate case, which sends one request and expects its answer."""
    lines: Dict[str, List[str]] = {}
    for method, request in protocol.requests.items():
        if request["direction"] != "clientToServer":
            _check_examples(protocol, method, request)
            continue
        for example in request.get("examples", []):
            file = str(protocol.folder / protocol.files[method])
            if file not in lines:
                with open(file, encoding="utf-8") as opened:
                    lines[file] = opened.read().split("\n")
            yield _example(protocol, method, example, file, _line(example["name"], method, lines[file]))


def _check_examples(protocol: Protocol, method: str, request: dict) -> None:
    """Validates examples of the service's own requests against the declared types, without running them."""
    check = Check(protocol)
    for example in request["examples"]:
        try:
            check.members(request["params"], parse(json.dumps(example["params"])), "params")
            check.result(method, parse(json.dumps(example["result"])))
        except Invalid as error:
            where = "/".join(str(part) for part in error.place)
            raise CaseError(str(protocol.folder / protocol.files[method]), 1,
                            f"example {method} “{example['name']}”: {where} {error.reason}") from None


def _line(name: str, method: str, lines: List[str]) -> int:
    """The line of an example: the first with its name after the one with its method."""
    wanted = f'"name": {json.dumps(name, ensure_ascii=False)}'
    start = next((n for n, line in enumerate(lines) if f'"method": "{method}"' in line), 0)
    return next((n for n, line in enumerate(lines[start:], start) if wanted in line), start) + 1


def _example(protocol: Protocol, method: str, example: dict, file: str, line: int) -> Case:
    name = f"example {method} “{example['name']}”"
    session = example.get("session", "initialized")
    build = protocol.builds[method]
    if build == "any":
        build = example.get("build", "any")
    if session not in SESSIONS or build not in BUILDS:
        raise CaseError(file, line, f"{name}: there is no session {session!r}, or no build {build!r}")
    capabilities = example.get("capabilities", {})
    if not isinstance(capabilities, dict) or (capabilities and session != "initialized"):
        raise CaseError(file, line, f"{name}: capabilities are an object, for session: initialized")
    params = json.dumps(example["params"], ensure_ascii=False)
    sent = f'{{"jsonrpc":"2.0","id":1,"method":{json.dumps(method)},"params":{params}}}'
    answer: Dict[str, Any] = {"jsonrpc": "2.0", "id": 1}
    if "error" in example:
        error = protocol.errors.get(example["error"].get("name"))
        if error is None:
            raise CaseError(file, line, f"{name}: no such error")
        answer["error"] = {"code": error["code"], "message": "", "data": example["error"]}
    else:
        answer["result"] = example.get("result")
    text = json.dumps(answer, ensure_ascii=False)
    # Read again so that numbers keep their spelling, as in a case file.
    pattern = parse(text)
    events = [{"jsonrpc": "2.0", "method": event, "$rest": True} for event in example.get("events", [])]
    try:
        check_pattern(pattern, set(), protocol)
    except BadPattern as error:
        raise CaseError(file, line, f"{name}: {error}") from None
    return Case(name=name, path=file, comment=example["name"], session=session,
                fixture=example.get("fixture", "empty"), build=build,
                capabilities=json.dumps(capabilities, ensure_ascii=False),
                steps=[Step(line, ">>", text=sent, shown=f">> {sent}"),
                       *(Step(line, "<<?", pattern=prepared(event)) for event in events),
                       Step(line, "<<", pattern=prepared(pattern), text=text, shown=f"<< {text}")])
