#!/usr/bin/env python3
"""Records the functions and variables that a start of `daybook` uses, in order of first use, as an order file for the linker.

Run it from the root of the repository when the list is outdated; it builds the program, and needs valgrind:

    python3 Sources/Tools/linking/record.py

The linker places the listed symbols together, so that a start touches few pages. Removed names are ignored, and new ones keep
their default position.
"""

import bisect
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ORDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "daybook.order")

INITIALIZE = {"id": 1, "method": "initialize", "params": {
    "processId": os.getpid(), "clientInfo": {"name": "editor"}, "capabilities": {}, "locale": "en-US", "trace": "off"}}
# The least that a frontend says.
PLAIN_INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
LEAVE = [{"id": 2, "method": "shutdown"}, {"method": "exit"}]
MEAL = {"name": "Bread", "calories": 250}
# The first requests of a frontend after the start.
FIRST_REQUESTS = [
    ("session/get", {}), ("days/get", {}), ("meals/list", {}), ("settings/get", {}), ("meals/add", MEAL),
    ("days/get", {}), ("server/info", {})]
# So many changes that a checkpoint folds them into segments.
MANY_CHANGES = [("meals/add", MEAL)] * 600


def session(requests):
    """The messages of a whole connection."""
    numbered = [{"id": 10 + number, "method": method, "params": params}
                for number, (method, params) in enumerate(requests)]
    return [INITIALIZE, {"method": "initialized", "params": {}}] + numbered + LEAVE


# The start is a separate phase: its pages come first.
PHASES = [[INITIALIZE] + LEAVE, [PLAIN_INITIALIZE] + LEAVE, session(FIRST_REQUESTS)]


def framed(messages):
    result = b""
    for message in messages:
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        result += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    return result


class Sections:
    """The input sections of a linked program, by address."""

    # A larger section is a whole module of the standard library, which would separate the others.
    LARGEST = 32 << 10
    LINE = re.compile(r" *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +[0-9]+ (.*)")

    def __init__(self, map_of_linker):
        found = []
        for line in map_of_linker:
            match = Sections.LINE.match(line)
            if not match:
                continue
            start, size, name = int(match[1], 16), int(match[2], 16), match[3]
            if name.startswith(" " * 16):
                found[-1][2].append(name.strip())
            elif name.startswith(" " * 8) and start and size:
                is_small = size <= Sections.LARGEST and "<internal>" not in name
                found.append((start, start + size if is_small else start, []))
            else:
                found.append((0, 0, []))
        uses = collections.Counter(name for _, _, names in found for name in names)
        found.sort(key=lambda section: section[0])
        self.starts = [start for start, _, _ in found]
        self.ends = [end for _, end, _ in found]
        # A name that many sections have would bring all of them.
        names = [min(names, key=uses.__getitem__, default=None) for _, _, names in found]
        self.names = [name if name and uses[name] <= 2 else None for name in names]

    def at(self, address):
        """A symbol that the linker finds the section at an address by; None where there is none."""
        index = bisect.bisect_right(self.starts, address) - 1
        return self.names[index] if index >= 0 and address < self.ends[index] else None


def touched(program, messages, folder):
    """The addresses that a run uses, in the order of their first use, 16 bytes each."""
    with tempfile.TemporaryDirectory() as place:
        log = os.path.join(place, "trace")
        os.mkfifo(log)
        reader, writer = os.pipe()
        process = subprocess.Popen(
            ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=" + log, program, "--data", folder],
            stdin=reader, stdout=subprocess.DEVNULL)
        os.close(reader)
        os.write(writer, framed(messages))
        os.close(writer)
        seen = {}
        with open(log, "rb") as trace:
            for line in trace:
                # " L 1fff000740,8": what it does, where in hexadecimal, how many bytes.
                if line[:1] in b"I " and line[2:3] == b" ":
                    seen.setdefault(line[3:line.index(b",") - 1], None)
        if process.wait() != 0:
            sys.exit("daybook ended with an error")
        return [int(prefix + b"0", 16) for prefix in seen if prefix.strip()]


def main():
    names = {}
    with tempfile.TemporaryDirectory() as place:
        map_of_linker = os.path.join(place, "map")
        build = ["swift", "build", "-c", "release", "--product", "daybook"]
        subprocess.run(build + ["-Xlinker", "-Map=" + map_of_linker], check=True)
        program = subprocess.run(build + ["--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()
        with open(map_of_linker) as lines:
            sections = Sections(lines)
        program = os.path.join(program, "daybook")
        # The second run on the new folder finds what the first has stored; the used folder has segments.
        new, used = os.path.join(place, "new"), os.path.join(place, "used")
        subprocess.run(
            [program, "--data", used], input=framed(session(MANY_CHANGES)), stdout=subprocess.DEVNULL, check=True)
        runs = [(phase, folder) for phase in PHASES for folder in (new, used)] + [(phase, new) for phase in PHASES]
        for messages, folder in runs:
            for block in touched(program, messages, folder):
                for address in range(block, block + 16, 8):
                    name = sections.at(address)
                    if name:
                        names.setdefault(name, None)
    with open(ORDER, "w") as order:
        order.write("# Generated by record.py beside it; not edited by hand.\n")
        for name in names:
            order.write(name + "\n")
    print(f"{len(names)} sections")


if __name__ == "__main__":
    main()
