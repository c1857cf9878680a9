"""Folders of newer versions, and of versions that never existed: read if possible, and no byte is written."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from typing import Any, Callable, Dict, List, Tuple

from answers import Answers, Author
from checker import verify
from command_line import daybook
from folder import Fingerprint, fingerprint
from kill_sweeps import Stage, many_meals, some_meals, stages_of
from lab import Lab, Violation, check, until
from service import Service

SUFFIX = re.compile(rb',"crc":"[0-9a-f]{8}"\}\n\Z')
REFUSED = "storeReadOnly"
UNREADABLE = "storeUnavailable"


def crc32c(text: bytes) -> int:
    """The checksum of a line: CRC-32C (RFC 3720, appendix B.4)."""
    value = 0xFFFFFFFF
    for byte in text:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def _edit(path: str, old: bytes, new: bytes) -> None:
    """Replaces a text in a file that ends in its checksum, and updates the checksum."""
    with open(path, "rb") as file:
        text, count = SUFFIX.subn(b"", file.read())
    if count != 1 or text.count(old) != 1:
        raise Violation(f"{path} is not as expected: {text[:200]!r}")
    text = text.replace(old, new)
    with open(path, "wb") as file:
        file.write(text + b',"crc":"%08x"}\n' % crc32c(text))


def _identity(value: str) -> Tuple[str, bytes, bytes]:
    return "store.json", b'"format":1,', b'"format":%s,' % value.encode()


# The edit, and whether the store must still be readable.
EDITS: Dict[str, Tuple[Tuple[str, bytes, bytes], bool]] = {
    **{f"format {value}": (_identity(value), True)
       for value in ("2", "0", "-1", '"2"', "100000000000000000000", "null")},
    "minWriter": (("manifest.json", b'"minWriter":1,', b'"minWriter":2,'), True),
    "compatible": (("manifest.json", b'"compatible":[]', b'"compatible":["colours"]'), True),
    "incompatible": (("manifest.json", b'"incompatible":[]', b'"incompatible":["colours"]'), False),
}
READS: List[Tuple[str, Dict[str, Any]]] = [
    ("meals/list", {}), ("days/get", {}), ("settings/get", {}), ("changes/since", {"revision": 0}),
    ("data/export", {}), ("nutrition/export", {"what": "meals"}), ("overview/get", {}), ("reminders/plan", {})]
WRITES: List[Tuple[str, Dict[str, Any]]] = [
    ("settings/update", {"age": 41}), ("days/updateEntry", {"day": "2026-01-05", "note": "x"}), ("onboarding/complete", {}),
    ("backup/create", {}), ("secrets/set", {"name": "key", "value": "x"}),
    ("weights/add", {"value": "80", "unit": "kg"}), ("changes/undo", {})]
# The introduction can be completed for the process's lifetime; there is nothing to undo.
RIGHT_TOO: Dict[str, List[str]] = {"onboarding/complete": [""], "changes/undo": ["nothingToUndo"]}
# These write nothing, whatever the answer.
OTHERS: List[Tuple[str, Dict[str, Any]]] = [
    ("store/health", {"scrub": True}), ("backup/list", {}), ("meals/undo", {}), ("lock/lock", {}), ("lock/get", {}),
    ("debug/forcePremium", {"active": True}), ("premium/verify", {}), ("paywall/report", {"result": "declined"}),
    ("premium/reset", {}), ("device/timeZoneChanged", {"timeZone": "Asia/Tokyo"}),
    ("zones/choose", {"choice": "movedHere"}),
    ("estimator/configure", {"enabled": True, "baseURL": "http://localhost:1/v1/", "model": "x"}),
    ("onboarding/save", {"step": "age", "choices": {"height": "180"}}), ("onboarding/detectReturningUser", {}),
    ("debug/addSamples", {}), ("debug/resetOnboarding", {}), ("debug/clearAll", {}), ("device/becameActive", {}),
    ("reminders/snooze", {"id": "meal"}), ("session/selectDay", {"day": "2026-01-05"}), ("logs/tail", {}),
    ("data/import", {"mode": "merge", "lines": [{"no": "export"}]}), ("secrets/list", {})]


def _kept(prints: Fingerprint) -> Fingerprint:
    """Without the log; of a folder only kind and mode, because creating the log changes its time."""
    return {name: print[:2] if print[0] == stat.S_IFDIR else print for name, print in prints.items()
            if name.split("/")[0] != "logs"}


class Trial:
    """A folder that must not be written, and everything that might write to it."""

    def __init__(self, lab: Lab, folder: str, export: str, backup: str, is_readable: bool) -> None:
        self.lab, self.folder, self.export, self.backup = lab, folder, export, backup
        self.is_readable = is_readable
        self.problems: List[str] = []
        self._before = _kept(fingerprint(folder))

    def look(self, after: str) -> None:
        """Notes what was changed, and continues from the new state."""
        try:
            now = _kept(fingerprint(self.folder))
        except FileNotFoundError as error:
            self.problems.append(f"something was created and removed after {after}: {error.filename}")
            return
        changed = sorted(name for name in now.keys() | self._before.keys() if now.get(name) != self._before.get(name))
        if changed:
            self.problems.append(f"{after} changed {', '.join(changed[:4])}")
        self._before = now

    def ask(self, service: Service, method: str, params: Dict[str, Any], *expected: str) -> Any:
        """One request with the allowed refusals; without any, every answer is allowed."""
        name = service.refusal(method, **params)
        if expected and name not in expected:
            self.problems.append(f"{method} was answered with {name!r}")
        self.look(method)
        return name

    def session(self, has_handshake: bool) -> None:
        """Every request of a client."""
        # Purchases are kept elsewhere, as by a shop; the premium status would be cached in the folder.
        shop = ["--store-of-record", self.lab.path("shop.json")]
        service = Service(self.lab, self.folder, shop, has_handshake=has_handshake)
        if has_handshake:
            name = service.refusal("initialize", timeZone="Europe/Lisbon")
            service.notify("initialized")
            if name != "" or not self.is_readable:
                if name != UNREADABLE or self.is_readable:
                    self.problems.append(f"initialize was answered with {name!r}")
                service.close_input()
                service.wait()
                return self.look("initialize")
            until("the start", lambda: service.events("startupFinished"))
            self.look("the start")
        for method, params in READS:
            self.ask(service, method, params, "" if self.is_readable else UNREADABLE)
        refusals = (REFUSED,) if self.is_readable else (REFUSED, UNREADABLE)
        author = Author(service, Answers(9), self.lab.random("new"))
        author.add()
        if (names := author.settle()) and names[0] in refusals:
            self.look("meals/add")
        else:
            self.problems.append(f"meals/add was answered with {names}")
        for method, params in [*WRITES, ("backup/restore", {"id": self.backup}), ("backup/delete", {"id": self.backup}),
                               ("data/import", {"mode": "replace", "path": self.export})]:
            self.ask(service, method, params, *refusals, *RIGHT_TOO.get(method, []))
        for method, params in [*OTHERS, ("backup/verify", {"id": self.backup}),
                               ("data/export", {"path": self.folder + "/export.jsonl"}),
                               ("diagnostics/bundle", {"path": self.lab.path("bundle.tar")})]:
            self.ask(service, method, params)
        self.ask(service, "data/export", {"path": self.lab.path("export")}, "" if self.is_readable else UNREADABLE)
        for scope, method in (("reset", "account/reset"), ("everything", "account/delete")):
            token = service.call("account/prepareDeletion", scope=scope).get("result", {}).get("token")
            if token is not None:
                self.ask(service, method, {"token": token}, *refusals)
            elif self.is_readable:
                self.problems.append(f"there is no token for {method}")
        self.look("account/prepareDeletion")
        if has_handshake:
            service.call("shutdown")
            service.notify("exit")
        service.end()
        self.look("the end of a session")

    def commands(self) -> None:
        """Every command."""
        meal = json.dumps({"name": "x", "calories": 1})
        for words, fails in [
                (["doctor"], False), (["doctor", "--repair"], False), (["backup"], True), (["backup", "list"], False),
                (["backup", "verify", self.backup], False), (["backup", "delete", self.backup], True),
                (["restore", self.backup], True), (["export", self.lab.path("export")], not self.is_readable),
                (["import", self.export], False), (["import", "--replace", self.export], True),
                (["import", "--preview", self.export], False), (["call", "meals/add", meal], True),
                (["call", "days/get"], not self.is_readable)]:
            outcome = daybook(self.lab, *words, folder=self.folder)
            if fails and outcome.status == 0:
                self.problems.append(f"“daybook {' '.join(words[:2])}” succeeded")
            self.look(f"“daybook {' '.join(words[:2])}”")


@check("formats", "store.json and manifest.json of other versions: reads work, writes are refused, no byte changes")
def formats(lab: Lab) -> str:
    stages = stages_of(lab, some_meals, many_meals)
    exports: Dict[str, str] = {}
    backups: Dict[str, str] = {}
    for stage, other in zip(stages, reversed(stages)):
        service = Service(lab, stage.template)
        # So that there is something to undo and to reset.
        service.result("settings/update", age=33)
        # Each store has something that the other needs.
        exports[other.scene.name] = lab.path("export.jsonl")
        service.result("data/export", path=exports[other.scene.name])
        # The last backup could not be deleted in any case.
        service.result("backup/create")
        backups[stage.scene.name] = service.result("backup/create")["id"]
        service.end()

    def point(label: str, stage: Stage, what: Tuple[str, bytes, bytes], is_readable: bool, way: str) -> None:
        folder, name = lab.path("data"), stage.scene.name
        shutil.copytree(stage.template, folder)
        path = os.path.join(folder, what[0])
        _edit(path, *what[1:])
        trial = Trial(lab, folder, exports[name], backups[name], is_readable)
        ways: Dict[str, Callable[[], None]] = {
            "script": lambda: trial.session(False), "client": lambda: trial.session(True), "commands": trial.commands}
        try:
            ways[way]()
        except Violation as violation:
            trial.problems.insert(0, str(violation))
        if trial.problems:
            raise Violation("; ".join(trial.problems[:6]) + lab.keep(folder, label))
        # Nothing is lost: with its original text, the store is as before.
        _edit(path, what[2], what[1])
        verify(lab, folder, [stage.answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{stage.scene.name}: {name}, {way}", stage, *EDITS[name], way) for name in EDITS for stage in stages
              if os.path.exists(os.path.join(stage.template, EDITS[name][0][0]))
              for way in ("script", "client", "commands")]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""
