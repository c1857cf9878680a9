"""Judges samples of the protocol's types, a line each: type, the place at fault or `-`, why or `-`, and the JSON.

    … | python3 Tests/Tools/Conformance/judge_samples.py

What a sample says of itself has to be what the runner finds. Exit status 1 and a line each where it is not.
"""

from __future__ import annotations

import re
import sys
from typing import Dict, List

from support import PROTOCOL

from forms import Invalid  # noqa: E402
from jsontext import parse  # noqa: E402
from schema import Check, Protocol  # noqa: E402


def is_of_open_enumeration(protocol: Protocol, messages: Dict[str, List[dict]], name: str, pointer: str) -> bool:
    """Whether the value at a sample's place is of an open enumeration."""
    declared = protocol.types.get(name, {"members": messages.get(name)})
    for part in pointer.split("/")[1:]:
        member = next((m for m in declared.get("members") or [] if m["name"] == part), None)
        if member is not None:
            declared = protocol.types.get(re.sub(r"\w+<|>", "", member["type"]), {})
    return declared.get("open", False)


def members_of_messages(protocol: Protocol) -> Dict[str, List[dict]]:
    """The members of what messages carry, by the names that samples have for it."""
    members: Dict[str, List[dict]] = {}
    for method, declared in [*protocol.requests.items(), *protocol.notifications.items()]:
        name = "".join(part[0].upper() + part[1:] for part in re.split(r"[/$]+", method) if part)
        members[f"{name}Params"] = declared["params"]
        if isinstance(declared.get("result"), dict):
            members[f"{name}Result"] = declared["result"]["members"]
    return members


def main() -> int:
    """Reads the samples to their end."""
    protocol, count, wrong = Protocol(PROTOCOL), 0, 0
    messages = members_of_messages(protocol)
    for line in sys.stdin.buffer.read().decode("utf-8").split("\n"):
        name, pointer, why, text = line.split("\t", 3)
        count += 1
        # Open enumerations may gain values, and what the service says is not trimmed.
        if why == "unknown value" and is_of_open_enumeration(protocol, messages, name, pointer):
            continue
        if why == "nothing but white space":
            continue
        found = ""
        try:
            if name in messages:
                Check(protocol).members(messages[name], parse(text), "")
            else:
                Check(protocol).value({"type": name}, parse(text), "")
        except Invalid as error:
            # What readers pass over is a mistake of the service all the same.
            if not str(error).endswith("noSuchMember: is not declared") or why == "unknown member":
                found = str(error)
        if (why == "-") == bool(found):
            wrong += 1
            print(f"{name}: {why} at {pointer}: {found or 'nothing found'}: {text[:300]}")
    print(f"{count} judged")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
