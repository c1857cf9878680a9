"""Several processes on one folder while the lock file, the disk or the power fails."""

from __future__ import annotations

import os
import time
from typing import Callable, List

from checker import verify
from lab import Lab, Violation, check, until
from mounts import DROP_LOG, FLUSH_LOG, Image, require_loop_devices
from tracing import Tracer
from workers import Worker, together


@check("shared-lock-file", "the lock file is deleted and replaced while processes write: nothing acknowledged is lost")
def lock_file(lab: Lab) -> str:
    def point(label: str, act: Callable[[str], None]) -> None:
        chance = lab.random(label)

        def body(workers: List[Worker]) -> None:
            until("the lock file", lambda: os.path.exists(os.path.join(workers[0].folder, "lock")))
            for _ in range(25):
                time.sleep(chance.random() * 0.04)
                act(os.path.join(workers[0].folder, "lock"))

        # Two of them may have written at the same time, so the order is not proven.
        together(lab, label, 3, body, most_refused=0.2, damaged=True)

    def delete(path: str) -> None:
        if os.path.exists(path):
            os.unlink(path)

    def replace(path: str) -> None:
        os.close(os.open(path + ".new", os.O_CREAT | os.O_WRONLY, 0o600))
        os.rename(path + ".new", path)

    for name, act in (("deleted", delete), ("replaced", replace)):
        for number in range(lab.options.rounds):
            label = f"{name}, {number}"
            lab.point(label, lambda label=label, act=act: point(label, act))
    return ""


@check("shared-failing", "one process's syncs and writes fail or are slow, and the others are not harmed")
def failing(lab: Lab) -> str:
    injections = ["fdatasync:error=EIO:when=3+7", "fdatasync:delay_enter=40000", "flock:error=EINTR:when=1+2",
                  "fdatasync:error=EIO:when=5+", "flock:delay_exit=20000"]

    def point(label: str, injection: str) -> None:
        tracers: List[Tracer] = []

        def body(workers: List[Worker]) -> None:
            tracers.append(Tracer(lab, workers[0].service, [injection]))
            time.sleep(1.0)
            tracers[0].detach()

        together(lab, label, 3, body, most_refused=0.9 if "EIO" in injection else 0.02)

    for injection in injections:
        lab.point(injection, lambda injection=injection: point(injection, injection))
    return ""


@check("shared-power", "power cuts on ext4 while four processes write")
def shared_power(lab: Lab) -> str:
    require_loop_devices()
    image = Image(lab, "ext4", str(lab.scratch))
    image.format()
    acknowledged: List[int] = []

    def point(label: str, how: int) -> None:
        image.mount()
        folder = os.path.join(image.place, f"data-{how}-{label[-1]}")
        workers = [Worker(lab, folder, number + 1, label, may_fail=True).begin() for number in range(4)]
        time.sleep(0.3 + lab.random(label).random() * 0.5)
        certain = [worker.service.answered() for worker in workers]
        image.cut_power(how)
        for worker in workers:
            worker.is_stopping.set()
        time.sleep(0.1)
        for worker in workers:
            worker.kill()
        for worker, answered in zip(workers, certain):
            worker.stop()
            # As with one process: anything answered since may be lost.
            worker.answers.doubt(1, answered)
        image.unmount()
        image.mount()
        acknowledged.append(sum(len(worker.answers.acknowledged) for worker in workers))
        if acknowledged[-1] == 0:
            raise Violation(f"nothing was acknowledged; {workers[0].service.tail()}")
        verify(lab, folder, [worker.answers for worker in workers], label)
        image.unmount()

    for number in range(lab.options.rounds):
        name, how = (("log dropped", DROP_LOG), ("log flushed", FLUSH_LOG))[number % 2]
        label = f"{name}, {number}"
        lab.point(label, lambda label=label, how=how: point(label, how))
        image.unmount()
    return f"{sum(acknowledged)} acknowledged writes"
