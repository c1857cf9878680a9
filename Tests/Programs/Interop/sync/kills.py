"""`kill -9` in passes of two devices that both keep logging.

SYNC_KILLS: how many (200 in CI, else 50, as debug builds are slow); SYNC_SEED: the moments.
"""

import os
import pathlib
import random
import statistics
import time

from devices import DAY, Device, settle

KILLS = int(os.environ.get("SYNC_KILLS", "200" if os.environ.get("CI") == "true" else "50"))
SEED = int(os.environ.get("SYNC_SEED", random.randrange(1 << 31)))


class Logger(Device):
    """A device whose user logs meals before and during passes."""

    def __init__(self, name):
        self.sent, self.answered = set(), set()
        super().__init__(name)

    def log(self):
        """Asks for a meal to be added; returns its name and the request."""
        name = f"{self.name} {len(self.sent)}"
        self.sent.add(name)
        return name, self.send("meals/add", name=name, calories=100, day=DAY)

    def ended(self, request):
        """Waits for an answer; false if the service ended before it."""
        answer = self.answer(request)
        assert not answer or "result" in answer, answer
        return answer is not None

    def finish(self, meal):
        """Waits for a meal."""
        name, request = meal
        if self.ended(request):
            self.answered.add(name)

    def begin(self):
        """Logs a meal, begins a pass, and logs another; returns the requests of these."""
        self.finish(self.log())
        return self.send("sync/now"), self.log()


def duration(device):
    """The time of a pass with one new meal, in seconds."""
    began = time.monotonic()
    request, meal = device.begin()
    assert device.ended(request)
    took = time.monotonic() - began
    device.finish(meal)
    return took


def main():
    print(f"version: {KILLS} kills, seed {SEED}", flush=True)
    moments = random.Random(SEED)
    folder = pathlib.Path(os.environ["HOME"], "shared")
    folder.mkdir()
    devices = [Logger("first"), Logger("second")]
    for device in devices:
        device.join(folder, create=True)
    usual = statistics.median(duration(device) for device in 10 * devices)
    kills = within = 0
    while within < KILLS:
        victim, other = moments.sample(devices, 2)
        requests = {device: device.begin() for device in (other, victim)}
        time.sleep(moments.uniform(0, usual))
        victim.kill()
        kills += 1
        within += not victim.ended(requests[victim][0])
        assert other.ended(requests[other][0])
        for device in devices:
            device.finish(requests[device][1])
        victim.start()
        assert kills < 10 * KILLS, f"{within} of {kills} kills were within a pass"
    settle(*devices)
    held = [meal["name"] for meal in devices[0].meals()]
    answered, sent = (set.union(*(getattr(device, name) for device in devices)) for name in ("answered", "sent"))
    assert len(held) == len(set(held)), "each is there once"
    assert answered <= set(held) <= sent, (answered - set(held), set(held) - sent)
    print(f"{within} of {kills} kills were within a pass; {len(held)} meals, {len(answered)} of them answered")
    for device in devices:
        device.end()


main()
