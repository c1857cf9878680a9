"""What the tests of the conformance runner share: where it lies, its protocols, and plays against told services."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

HERE = Path(__file__).resolve().parent
PROTOCOL = HERE.parents[2] / "Protocol"
RUNNER = PROTOCOL / "conformance"
sys.path.insert(0, str(RUNNER))

from case import AS_IS, Case  # noqa: E402
from casefile import read_case  # noqa: E402
from conversation import Seen  # noqa: E402
from play import Failed, Failure, Play  # noqa: E402
from schema import Protocol  # noqa: E402

TOY = HERE / "fixtures" / "toy"
NOTES = HERE / "fixtures" / "notes"
TOY_SERVER = [sys.executable, str(HERE / "fixtures" / "toy_server.py")]
TOLD_SERVER = [sys.executable, str(HERE / "fixtures" / "told_server.py")]

ID = "11111111-1111-4111-8111-111111111111"


def message(**members: Any) -> str:
    """A message of a told service; ID as its id stands for the request's."""
    text = json.dumps({"jsonrpc": "2.0", **members}, ensure_ascii=False)
    return text.replace('"id": "ID"', '"id": ID')


def event(revision: int = 1) -> str:
    """The event of a change."""
    return message(method="changed", params={"revision": revision})


# The right answers to `notes/add` and `server/info`.
REPLY = message(id="ID", result={"note": {"id": ID, "text": "Tea"}})
INFO = message(id="ID", result={"build": "debug"})


def case_of(text: str, protocol: Optional[Protocol] = None) -> Case:
    """A case, read from its text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.rpc"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        return read_case(path, "case.rpc", protocol)


def failure_of(lines: str, rules: Dict[str, List[Any]], framing: str = "newline", way: str = AS_IS,
               fixture: Optional[List[str]] = None, session: str = "noHandshake") -> Optional[Failure]:
    """What goes wrong when a case is run against a service with these rules; nothing when it passes."""
    try:
        seen_of(lines, rules, framing, way, fixture, session)
    except Failed as error:
        return error.failure
    return None


def seen_of(lines: str, rules: Dict[str, List[Any]], framing: str = "newline", way: str = AS_IS,
            fixture: Optional[List[str]] = None, session: str = "noHandshake") -> Seen:
    """What a case exercises that is run against a service with these rules; raises `Failed`."""
    protocol = Protocol(NOTES)
    case = case_of(f"# A case.\nsession: {session}\n{lines}\n", protocol)
    return Play(case, framing, way, protocol, TOLD_SERVER + [json.dumps(rules)], fixture or []).run()
