"""Devices that keep the same data: services on data folders of their own, with premium, in newline framing."""

import json
import os
import pathlib
import subprocess
import time

SCALE = float(os.environ.get("TIME_SCALE", "1"))
PLACE = pathlib.Path(os.environ["DAYBOOK_DATA"])  # The data folders of all devices are in it.
DAY = "2026-01-05"


def until(condition, what):
    """Waits for a condition, and returns its value."""
    deadline = time.monotonic() + 20 * SCALE
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.02)
    return value


class Refused(Exception):
    """The error that answers a request."""

    def __init__(self, method, error):
        super().__init__(f"{method}: {error}")
        self.name, self.cause = error["data"]["name"], error["data"].get("cause")


class Device:
    """A service on a device's data folder. A pass runs when it is asked for."""

    def __init__(self, name):
        self.name, self.last, self.early = name, 0, {}
        store = PLACE / "store-of-record.json"
        self.command = [os.environ["DAYBOOK"], "--data", str(PLACE / name), "--store-of-record", str(store)]
        if not (PLACE / name).exists():
            PLACE.mkdir(exist_ok=True)
            store.write_text(json.dumps({"mode": "online", "transactions": [{
                "id": "1", "productId": "daybook.premium.yearly", "purchasedAt": "2026-01-01T00:00:00Z",
                "expiresAt": "2199-01-01T00:00:00Z"}]}))
            # Passes need premium that was known at the start.
            subprocess.run([*self.command, "call", "premium/verify"], check=True, stdout=subprocess.DEVNULL)
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [*self.command, "--no-handshake"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, method, **params):
        """Sends a request, and returns its id."""
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return self.last

    def answer(self, id):
        """The answer to a request; None if the service ended before it."""
        while id not in self.early:
            line = self.process.stdout.readline()
            if not line.endswith(b"\n"):
                return None
            message = json.loads(line)
            if "method" not in message:
                self.early[message["id"]] = message
        return self.early.pop(id)

    def call(self, method, **params):
        answer = self.answer(self.send(method, **params))
        assert answer, f"{self.name} ended within {method}"
        if "error" in answer:
            raise Refused(method, answer["error"])
        return answer["result"]

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0, self.process.returncode

    def join(self, folder, **params):
        return self.call("sync/configure", remote={"kind": "folder", "path": str(folder)}, deviceName=self.name, **params)

    def add(self, name, **more):
        """Adds a meal, and returns its id."""
        return self.call("meals/add", name=name, calories=100, day=DAY, **more)["meal"]["id"]

    def meals(self):
        """All meals, in an order that is the same on all devices."""
        meals, more = [], {}
        while more is not None:
            page = self.call("meals/list", limit=1000, **more)
            meals += page["meals"]
            more = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
        return sorted(meals, key=lambda meal: meal["id"])

    def state(self):
        return self.call("sync/status")["state"]


def settle(*devices):
    """Runs passes until all devices say that they are synced and hold the same meals."""
    def settled():
        for device in devices:
            device.call("sync/now")
        first, *others = [device.meals() for device in devices]
        return all(device.state() == "synced" for device in devices) and all(first == other for other in others)
    until(settled, "devices to be equal and synced")
