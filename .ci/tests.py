"""Runs `swift test` with these arguments. Shows its lines but those for starts, at once; at the end what failed.

When nothing is printed for ten minutes it says which tests have begun and not ended, shows the stacks of the test
process, and fails.
"""
import os
import re
import selectors
import signal
import subprocess
import sys

SILENCE = 600
LOG = ".build/tests.log"
# A line begins with a symbol, whose width depends on the terminal.
BEGUN = re.compile(r"^\S+\s+(?:Test|Suite) (?!case )(.+) started\.$")
ENDED = re.compile(r"^\S+\s+(?:Test|Suite) (.+?)(?: with \d+ test cases?)? (?:passed|failed|skipped)\b")
FAILED = re.compile(r"recorded an issue|error:|Fatal error")


def stacks(group):
    """The stacks of the processes of a group that run tests, if there is a debugger."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            belongs = os.getpgid(int(pid)) == group
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if belongs and b".xctest" in words[0]:
            command = ["gdb", "-p", pid, "-batch", "-nx", "-ex", "thread apply all backtrace 24"]
            try:
                found = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=240).stdout
            except (OSError, subprocess.TimeoutExpired) as problem:
                found = f"no stacks: {problem}"
            print(found[-100_000:], flush=True)


def main(arguments):
    tests = subprocess.Popen(
        ["swift", "test", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    )
    open_tests, failures, rest, following = {}, [], b"", 0
    selector = selectors.DefaultSelector()
    selector.register(tests.stdout, selectors.EVENT_READ)
    with open(LOG, "wb") as log:
        while selector.select(SILENCE):
            piece = os.read(tests.stdout.fileno(), 1 << 16)
            if not piece:
                break
            log.write(piece)
            *lines, rest = (rest + piece).split(b"\n")
            for line in (line.decode(errors="replace") for line in lines):
                if begun := BEGUN.match(line):
                    open_tests[begun[1]] = True
                elif ended := ENDED.match(line):
                    open_tests.pop(ended[1], None)
                if FAILED.search(line):
                    following = 12
                if following:
                    failures.append(line)
                    following -= 1
                if not line.startswith("◇"):
                    print(line, flush=True)
        else:
            print(f"\n=== nothing was printed for {SILENCE} s; begun and not ended:", *open_tests, sep="\n", flush=True)
            stacks(tests.pid)
            os.killpg(tests.pid, signal.SIGKILL)
    status = tests.wait()
    if status != 0:
        print("\n=== what failed", *failures, sep="\n", flush=True)
    return 1 if status else 0


sys.exit(main(sys.argv[1:]))
