"""A shared folder of 1 MiB that fills up during a pass. Runs as root of a mount namespace of its own."""

import os
import pathlib
import subprocess

from devices import Device, Refused, settle


def mount(folder, options):
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "daybook", folder], check=True)


def main():
    print("version: tmpfs of Linux", os.uname().release)
    folder = pathlib.Path(os.environ["HOME"], "shared")
    folder.mkdir()
    mount(folder, "size=1m")
    first = Device("first")
    first.join(folder, create=True)
    first.add("Before")
    first.call("sync/now")
    # 2 MB: several batches, of which the folder takes some.
    for number in range(200):
        first.add(f"Meal {number}", note="x" * 10000)
    logged = first.meals()
    try:
        first.call("sync/now")
        raise AssertionError("2 MB were written to a folder of 1 MiB")
    except Refused as refused:
        assert (refused.name, refused.cause) == ("remoteRefused", "full"), refused
    error = first.call("sync/status")["error"]
    assert error["cause"] == "full" and error["phase"] == "push" and error["hint"], error
    first.add("After the error")
    assert len(first.meals()) == len(logged) + 1, "nothing that is here is lost, and more can be added"
    assert list(folder.rglob("batches/*/*.jsonl")), "some batches had room"
    assert not list(folder.rglob("*.part")), "a file that was not written whole is removed"
    mount(folder, "remount,size=8m")
    second = Device("second")
    second.join(folder)
    settle(first, second)
    assert "error" not in first.call("sync/status")
    names = {meal["name"] for meal in second.meals()}
    assert names == {"After the error", *(meal["name"] for meal in logged)}, names
    for device in (first, second):
        device.end()


main()
