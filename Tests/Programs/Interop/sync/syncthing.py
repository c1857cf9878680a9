"""Syncthing: each of two devices has a copy of the folder, which it keeps alike with the other."""

import os
import pathlib
import socket
import subprocess
import urllib.request
import xml.etree.ElementTree as xml
from contextlib import ExitStack

from devices import Device, Refused, settle, until


class Copy:
    """Syncthing on a copy of the folder."""

    def __init__(self, name):
        self.home, self.folder = (pathlib.Path(os.environ["HOME"], f"{name}-{part}") for part in ("home", "copy"))
        self.folder.mkdir()
        subprocess.run(
            ["syncthing", "generate", f"--home={self.home}", "--no-default-folder"], check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.file = self.home / "config.xml"
        self.config = xml.parse(self.file)
        self.id = self.config.find("device").get("id")
        self.port, self.door = free_ports()

    def share(self, other):
        """Shares the folder with another copy, at addresses of this machine only."""
        root, options = self.config.getroot(), self.config.find("options")
        for name in ("globalAnnounceEnabled", "localAnnounceEnabled", "relaysEnabled", "natEnabled", "crashReportingEnabled"):
            put(options, name, "false")
        put(options, "listenAddress", f"tcp://127.0.0.1:{self.port}")
        put(options, "urAccepted", "-1")
        put(root.find("gui"), "address", f"127.0.0.1:{self.door}")
        self.key = root.find("gui/apikey").text
        put(xml.SubElement(root, "device", id=other.id), "address", f"tcp://127.0.0.1:{other.port}")
        folder = xml.SubElement(
            root, "folder", id="daybook", path=str(self.folder), fsWatcherEnabled="true", fsWatcherDelayS="1")
        for device in (self, other):
            xml.SubElement(folder, "device", id=device.id)
        self.config.write(self.file)

    def __enter__(self):
        self.process = subprocess.Popen(
            ["syncthing", f"--home={self.home}", "--no-browser", "--no-restart"], stderr=subprocess.STDOUT,
            stdout=open(self.home / "log", "wb"))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def connected(self):
        """Whether the other copy is connected."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.door}/rest/system/connections", headers={"X-API-Key": self.key})
        try:
            return b'"connected": true' in urllib.request.urlopen(request, timeout=5).read()
        except OSError:
            assert self.process.poll() is None, (self.home / "log").read_text()
            return False


def put(parent, name, text):
    """Sets the only element of that name."""
    for old in parent.findall(name):
        parent.remove(old)
    xml.SubElement(parent, name).text = text


def free_ports():
    with socket.socket() as one, socket.socket() as two:
        for each in (one, two):
            each.bind(("127.0.0.1", 0))
        return one.getsockname()[1], two.getsockname()[1]



def main():
    version = subprocess.run(["syncthing", "--version"], capture_output=True, text=True).stdout
    print("version:", version.split(' "')[0], flush=True)
    left, right = Copy("left"), Copy("right")
    left.share(right)
    right.share(left)
    first, second = Device("first"), Device("second")
    try:
        second.join(right.folder)
        raise AssertionError("an empty folder was taken")
    except Refused as refused:
        assert (refused.name, refused.cause) == ("remoteRefused", "remoteEmpty"), refused
    first.join(left.folder, create=True)
    soup, bread = first.add("Soup"), first.add("Bread")
    first.call("sync/now")
    with left, right:
        until(lambda: left.connected() and right.connected(), "the two to be connected")
        until((right.folder / "store.json").exists, "the folder's identity to arrive")
        second.join(right.folder)
        porridge = second.add("Porridge")
        settle(first, second)
        settle(first, second)  # Each knows now that the other has seen it.
        # Without each other's knowledge.
        first.call("meals/update", id=soup, name="Lentil soup")
        # Two edits within a millisecond would be ordered by their content, so the last one is after another of its own.
        second.call("meals/update", id=soup, name="Soup of onions")
        second.call("meals/update", id=soup, name="Onion soup")
        second.call("meals/delete", id=bread)
        settle(first, second)
    names = {meal["name"] for meal in first.meals()}
    assert names == {"Onion soup", "Porridge"}, names
    listed = [c for d in (first, second) for c in d.call("sync/conflicts")["conflicts"]]
    assert {(c["recordId"], c["current"]["name"], c["other"]["name"]) for c in listed} == {
        (soup, "Onion soup", "Lentil soup")}, listed
    assert not [path for path in left.folder.rglob("*") if "sync-conflict" in path.name], "no file has two writers"
    for device in (first, second):
        device.end()


main()
