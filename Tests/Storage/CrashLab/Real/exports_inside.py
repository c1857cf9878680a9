"""Exports onto the store's own files and into its folders, by any path: refused, and not a byte changes."""

from __future__ import annotations

import os
import shutil
import stat
from typing import Any, Callable, Dict, List, Tuple

from checker import verify
from command_line import daybook
from folder import entries, fingerprint, quiet
from kill_sweeps import many_meals, stages_of
from lab import Lab, Violation, check, program, until
from mounts import command, unmount
from service import Service

EXPORTS: List[Tuple[str, Dict[str, Any]]] = [
    ("data/export", {}), ("nutrition/export", {"what": "meals"}), ("subscriptions/export", {}),
    ("subscriptions/exportCalendar", {}), ("diagnostics/bundle", {}),
    ("diagnostics/bundle", {"includePersonalData": True})]
REFUSED = {"fileUnusable", "fileExists", "invalidParams"}
NEW = "new file.jsonl"


def _straight(folder: str, name: str, aside: str) -> str:
    return os.path.join(folder, name)


def _through_link(folder: str, name: str, aside: str) -> str:
    os.symlink(os.path.dirname(os.path.join(folder, name)), aside)
    return os.path.join(aside, os.path.basename(name))


def _link(folder: str, name: str, aside: str) -> str:
    os.symlink(os.path.join(folder, name), aside)
    return aside


def _dots(folder: str, name: str, aside: str) -> str:
    os.mkdir(aside)
    return os.path.join(aside, "..", os.path.basename(folder), ".", name)


def _slashes(folder: str, name: str, aside: str) -> str:
    return os.path.join(folder, name).replace("/", "//") + ("/" if os.path.isdir(os.path.join(folder, name)) else "")


def _relative(folder: str, name: str, aside: str) -> str:
    # The lab's processes work in the root folder.
    return os.path.join(folder, name)[1:]


def _hard_link(folder: str, name: str, aside: str) -> str:
    path = os.path.join(folder, name)
    if not os.path.isfile(path):
        return path
    os.link(path, aside)
    return aside


def _bound(folder: str, name: str, aside: str) -> str:
    os.mkdir(aside)
    command(program("mount"), "--bind", folder, aside)
    return os.path.join(aside, name)


WAYS: Dict[str, Callable[[str, str, str], str]] = {
    "its name": _straight, "a linked folder": _through_link, "a link": _link, "dots": _dots, "slashes": _slashes,
    "a relative path": _relative, "a hard link": _hard_link, "a bind mount": _bound}


def _bytes(folder: str) -> Dict[str, Tuple[object, ...]]:
    """Names, modes and contents, without the times."""
    return {name: (print[0], print[1], "" if print[0] == stat.S_IFDIR else print[4])
            for name, print in fingerprint(folder).items()}


def _require_outside(lab: Lab, service: Service) -> None:
    """Elsewhere, exports work."""
    for method, params in EXPORTS:
        path = lab.path("outside")
        for overwrite in (False, True):
            name = service.refusal(method, path=path, overwrite=overwrite, **params)
            if name not in ("", "premiumRequired"):
                raise Violation(f"{method} to another folder was refused with {name}; {service.tail()}")
            if name == "" and os.path.getsize(path) == 0:
                raise Violation(f"{method} wrote an empty file")


@check("exports-inside", "exports onto every path of the data folder, by all kinds of paths: refused, no byte changes")
def exports_inside(lab: Lab) -> str:
    stage, = stages_of(lab, many_meals)
    first = Service(lab, stage.template)
    # Premium features are tried too; a release build refuses them all.
    first.call("debug/forcePremium", active=True)
    first.call("premium/verify")
    first.result("backup/create")
    first.result("secrets/set", name="key", value="x")
    first.end()
    for name in ("logs", "quarantine"):
        os.makedirs(os.path.join(stage.template, name), 0o700, exist_ok=True)
    with open(os.path.join(stage.template, "logs", "daybook.log"), "ab") as file:
        os.fchmod(file.fileno(), 0o600)
    tried: List[str] = []

    def point(label: str, name: str, has_other_name: bool) -> None:
        folder = lab.path("data")
        shutil.copytree(stage.template, folder)
        opened = folder
        if has_other_name:
            os.symlink(os.path.dirname(folder), parent := lab.path("parent"))
            opened = os.path.join(parent, os.path.basename(folder))
        service = Service(lab, opened)
        service.result("meals/list", limit=1)
        until("the start", lambda: service.result("startup/report")["state"] == "ready")
        quiet(folder)
        before, problems = _bytes(folder), []
        for way, make in WAYS.items():
            aside = lab.path("aside")
            path = make(folder, name, aside)
            for overwrite in (False, True):
                for method, params in EXPORTS:
                    error = service.call(method, path=path, overwrite=overwrite, **params).get("error", {})
                    data = error.get("data", {})
                    tried.append(method)
                    if data.get("name") == "premiumRequired":
                        continue
                    # The name outside is replaced, not the file it is linked to.
                    if way == "a hard link" and not error:
                        continue
                    if data.get("name") not in REFUSED or data.get("pointer") != "/path":
                        problems.append(f"{method} by {way}{' (overwrite)' * overwrite}: {error or 'done'}")
                outcome = daybook(lab, "export", path, *["--overwrite"] * overwrite, folder=opened)
                if outcome.status not in (1, 2) and way != "a hard link":
                    problems.append(f"“daybook export” by {way}{' (overwrite)' * overwrite}: {outcome}")
            if (now := _bytes(folder)) != before:
                changed = sorted(one for one in now.keys() | before.keys() if now.get(one) != before.get(one))
                problems.append(f"by {way}, {', '.join(changed[:3])} changed")
                before = now
            unmount(aside)
        _require_outside(lab, service)
        service.end()
        if problems:
            raise Violation("; ".join(problems[:5]))
        verify(lab, folder, [stage.answers], label)
        shutil.rmtree(folder, ignore_errors=True)

    present = entries(stage.template)
    # One month stands for all.
    months = {os.path.dirname(name): name for name in present if "segments/meals/" in name}
    targets = [name for name in present if months.get(os.path.dirname(name), name) == name] + ["lock", "reserve"]
    targets += [os.path.join(name, NEW) for name in present if os.path.isdir(os.path.join(stage.template, name))]
    points = [(name or "the folder", name, number % 2 == 1) for number, name in enumerate(sorted(set(targets)))]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return f"{len(tried)} exports"
