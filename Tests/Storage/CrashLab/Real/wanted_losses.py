"""Intended removals are no losses: a backup restored, everything deleted or replaced, a folder copied."""

from __future__ import annotations

import os
import shutil
from typing import Callable, Dict

from answers import Answers, Author
from checker import LOSS
from command_line import daybook
from folder import files
from lab import Lab, Violation, check
from lost_journals import PREPARED, template
from service import Service


def _restored(lab: Lab, folder: str) -> None:
    """An older backup replaces the store; the later changes are intentionally gone."""
    service = Service(lab, folder)
    backup = service.result("backup/create")["id"]
    for age in (31, 32, 33):
        service.result("settings/update", age=age)
    service.end()
    if (outcome := daybook(lab, "restore", backup, folder=folder)).status != 0:
        raise Violation(f"a backup cannot be restored: {outcome}")


def _deleted(lab: Lab, folder: str) -> None:
    """Deletes everything and stores something again."""
    service = Service(lab, folder)
    token = service.result("account/prepareDeletion", scope="everything")["token"]
    service.result("account/delete", token=token, backup=False)
    service.end()


def _imported(lab: Lab, folder: str) -> None:
    """An export replaces everything."""
    path = lab.path("export")
    if (outcome := daybook(lab, "export", path, folder=folder)).status != 0:
        raise Violation(f"it cannot be exported: {outcome}")
    service = Service(lab, folder)
    service.result("settings/update", age=31)
    service.end()
    if (outcome := daybook(lab, "import", "--replace", path, folder=folder)).status != 0:
        raise Violation(f"it cannot be imported: {outcome}")


def _copied(lab: Lab, folder: str) -> None:
    """Copies the folder file by file, as a sync tool does."""
    aside = lab.path("aside")
    os.rename(folder, aside)
    shutil.copytree(aside, folder, copy_function=shutil.copyfile)
    for name in files(folder):
        os.chmod(os.path.join(folder, name), 0o600)


WANTED: Dict[str, Callable[[Lab, str], None]] = {
    "restored": _restored, "deleted": _deleted, "imported": _imported, "copied": _copied}


@check("wanted-losses", "a backup restored, everything deleted or replaced, a folder copied: no loss is reported")
def wanted_losses(lab: Lab) -> str:
    templates = {name: template(lab, prepare) for name, prepare in PREPARED.items()}

    def point(label: str, name: str, act: Callable[[Lab, str], None]) -> None:
        folder = lab.path("data")
        shutil.copytree(templates[name][0], folder)
        act(lab, folder)
        for turn in range(2):
            service = Service(lab, folder)
            if (health := service.result("store/health"))["state"] != "fine":
                raise Violation(f"store/health says {health}{lab.keep(folder, label)}")
            outcome = daybook(lab, "doctor", folder=folder)
            if LOSS in service.errors() or outcome.status != 0:
                raise Violation(f"doctor reports: {outcome}; {service.tail()}{lab.keep(folder, label)}")
            author = Author(service, Answers(7 + turn), lab.random(label))
            for _ in range(3):
                author.add()
                if refused := author.settle():
                    raise Violation(f"a write was refused: {refused[0]}; {service.tail()}")
            service.end()
        shutil.rmtree(folder, ignore_errors=True)

    points = [(f"{name}, {what}", name, act) for name in templates for what, act in WANTED.items()]
    lab.sweep((one[0], lambda one=one: point(*one)) for one in points)
    return ""
