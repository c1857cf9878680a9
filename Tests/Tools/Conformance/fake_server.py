#!/usr/bin/env python3
"""A service that says what it is told to say.

The first argument is JSON: for each method a list of actions. An action is a text, written as a message in the framing of
the input with ID replaced by the request's id; or {"raw": text}, {"stderr": text}, {"exit": status}, {"kill": signal},
{"hang": true}. The rules "eof" (else: exit 0) and "broken" are for the end of the input and for what is no JSON.
"""

import json
import os
import re
import signal
import sys

RULES = json.loads(sys.argv[1])
OUT, IN = sys.stdout.buffer, sys.stdin.buffer


def messages():
    """Bodies, in the framing that the first byte shows."""
    first = IN.peek(1)[:1]
    if first and first not in b"{[":
        while True:
            header = IN.readline()
            if not header:
                return
            IN.readline()
            yield "header", IN.read(int(header.split(b":")[1]))
    for line in iter(IN.readline, b""):
        yield "newline", line.rstrip(b"\n")


def act(actions, framing, identity):
    """Does what a rule says."""
    for action in actions:
        if isinstance(action, str):
            body = action.replace("ID", identity).encode("utf-8")
            head = b"Content-Length: %d\r\n\r\n" % len(body) if framing == "header" else b""
            OUT.write(head + body + (b"" if framing == "header" else b"\n"))
        elif "raw" in action:
            OUT.write(action["raw"].encode("latin-1"))
        elif "stderr" in action:
            sys.stderr.write(action["stderr"])
        OUT.flush()
        sys.stderr.flush()
        if "exit" in action and not isinstance(action, str):
            os._exit(action["exit"])
        if "kill" in action and not isinstance(action, str):
            os.kill(os.getpid(), action["kill"])
        if "hang" in action and not isinstance(action, str):
            while True:
                signal.pause()


framing = "newline"
for framing, body in messages():
    text = body.decode("utf-8", "replace")
    try:
        message = json.loads(text)
    except ValueError:
        act(RULES.get("broken", []), framing, "null")
        continue
    found = re.search(r'"id"\s*:\s*("[^"]*"|[-0-9.eE+]+|null)', text)
    act(RULES.get(message.get("method", ""), []), framing, found.group(1) if found else "null")
act(RULES.get("eof", [{"exit": 0}]), framing, "null")
