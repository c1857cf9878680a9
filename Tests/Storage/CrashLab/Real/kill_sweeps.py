"""kill -9 at the entry of every system call that the store makes."""

from __future__ import annotations

import dataclasses
import random
import shutil
from typing import Callable, Dict, List, Optional, Tuple

from answers import Answers, Author
from checker import verify
from folder import files, quiet
from lab import Lab, Violation, check
from service import Service
from tracing import Tracer

LONG = 9500


def small(author: Author, folder: str) -> None:
    """A few writes one by one, then some at once."""
    first, second = author.add(), author.add(300)
    author.settle()
    author.update(first.id, 400)
    author.settle()
    author.delete(second.id)
    author.settle()
    for _ in range(4):
        author.add()
    author.update(first.id)
    author.settle()


def volume(author: Author, folder: str) -> None:
    """More than a journal may hold, so that a checkpoint runs while writes continue."""
    ids = [author.add(LONG).id for _ in range(29)]
    author.update(ids[0], LONG)
    author.delete(ids[1])
    author.settle()
    author.add()
    author.settle()
    quiet(folder)
    author.update(ids[2])
    author.add()
    author.settle()
    quiet(folder)


@dataclasses.dataclass
class Scene:
    """A starting folder, a script, and whether the process is traced before it opens the store."""

    name: str
    prepare: Optional[Callable[[Lab, str], Answers]]
    script: Callable[[Author, str], None]
    is_cold: bool


def some_meals(lab: Lab, folder: str) -> Answers:
    """A folder with all its files."""
    return _filled(lab, folder, 5, 20)


def many_meals(lab: Lab, folder: str) -> Answers:
    """A folder after a checkpoint; the script causes the next one."""
    return _filled(lab, folder, 30, LONG)


def due_meals(lab: Lab, folder: str) -> Answers:
    """A folder whose last writer was killed before a checkpoint that was due."""
    return _filled(lab, folder, 30, LONG, is_killed=True)


def torn_tail(lab: Lab, folder: str) -> Answers:
    """A folder whose last writer was killed in the middle of a line."""
    answers = _filled(lab, folder, 5, 20)
    journals = sorted(name for name in files(folder) if name.startswith("journal/"))
    with open(f"{folder}/{journals[-1]}", "ab") as file:
        file.write(b'{"seq":6,"at":"2026-01-05T12:00:00.000Z","repl')
    return answers


def _filled(lab: Lab, folder: str, count: int, note: int, is_killed: bool = False) -> Answers:
    service = Service(lab, folder)
    author = Author(service, Answers(1), lab.random("filling"))
    for _ in range(count):
        author.add(note)
    if refused := author.settle():
        raise Violation(f"a meal was refused: {refused[0]}")
    if is_killed:
        service.kill()
        return author.answers
    # A checkpoint may start a little later.
    quiet(folder, 3.0, looks=30)
    service.end()
    return author.answers


SCENES = [
    Scene("founding", None, small, True),
    Scene("founded", None, small, False),
    Scene("opening", torn_tail, small, True),
    Scene("healing", torn_tail, small, False),
    Scene("daily", some_meals, small, False),
    Scene("volume", many_meals, volume, False),
    Scene("volume-opening", many_meals, volume, True),
    Scene("volume-due", due_meals, volume, True),
]


def stages_of(lab: Lab, *prepared: Callable[[Lab, str], Answers]) -> List["Stage"]:
    """A stage for each way of preparing a folder."""
    return [Stage(lab, next(scene for scene in SCENES if scene.prepare is prepare)) for prepare in prepared]


class Stage:
    """A scene that can be played repeatedly from the same state."""

    def __init__(self, lab: Lab, scene: Scene) -> None:
        self.lab = lab
        self.scene = scene
        self.template = lab.path(f"template-{scene.name}")
        self.answers = scene.prepare(lab, self.template) if scene.prepare else Answers(1)
        if scene.prepare and not files(self.template):
            raise Violation("the template is empty")

    def play(self, label: str, inject: List[str]) -> Tuple[Tracer, str]:
        """Plays the scene with an injection and checks the folder; returns the trace and how the process ended."""
        folder = self.lab.path("data")
        if self.scene.prepare:
            shutil.copytree(self.template, folder)
        service = Service(self.lab, folder)
        service.result("server/info")
        if not self.scene.is_cold:
            service.result("meals/list", limit=1)
        tracer = Tracer(self.lab, service, inject)
        # The same each time, so that the calls are the same.
        author = Author(service, self.answers.copied(), random.Random(f"{self.lab.options.seed}:{self.scene.name}"))
        self.scene.script(author, folder)
        service.close_input()
        status = service.wait()
        tracer.wait()
        if status not in (0, -9):
            raise Violation(f"ended with status {status}; {service.tail()}")
        try:
            verify(self.lab, folder, [author.answers], label)
        except Violation as violation:
            raise Violation(f"killed at {tracer.last_call()}: {violation}") from None
        shutil.rmtree(folder, ignore_errors=True)
        return tracer, "killed" if status == -9 else "survived"


@check("kill-sweeps", "kill -9 at the entry of each system call the store makes")
def kill_sweeps(lab: Lab) -> str:
    stages = {scene.name: Stage(lab, scene) for scene in SCENES}
    groups: Dict[Tuple[str, str], List[int]] = {}
    for name, stage in stages.items():
        tracer, _ = stage.play(f"{name}/none", [])
        for call, count in tracer.counts().items():
            # One call more than were counted, which the script must survive.
            groups[name, call] = list(range(1, count + 2))
    possible = sum(map(len, groups.values()))
    chosen = _sample(groups, lab.options.kills, lab.random("sample"))
    ends: List[str] = []

    def point(name: str, call: str, number: int) -> Tuple[str, Callable[[], None]]:
        label = f"{name}/{call}/{number}"
        return label, lambda: ends.append(stages[name].play(label, [f"{call}:signal=KILL:when={number}"])[1])

    if lab.options.point is not None:
        name, call, number = lab.options.point.split("/")
        chosen = [(name, call, int(number))]
    lab.sweep(point(*one) for one in chosen)
    killed, survived = ends.count("killed"), ends.count("survived")
    return f"{killed} kills, {survived} survived, of {possible} possible in {len(stages)} scenes"


def _sample(groups: Dict[Tuple[str, str], List[int]], budget: int, chance: random.Random) -> List[Tuple[str, str, int]]:
    """Points within the budget: all of a rare call, a sample of a frequent one."""
    left = sorted(groups.items(), key=lambda item: len(item[1]))
    chosen: List[Tuple[str, str, int]] = []
    while left:
        share = max(1, (budget - len(chosen)) // len(left))
        (name, call), numbers = left.pop(0)
        picked = numbers if len(numbers) <= share else sorted(chance.sample(numbers, share))
        chosen += [(name, call, number) for number in picked]
    return chosen
