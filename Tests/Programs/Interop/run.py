#!/usr/bin/env python3
"""Runs the sessions of this folder: `daybook` with third-party programs, and sync on real folders.

A session is a separate program. It gets the service in DAYBOOK, an empty data folder in DAYBOOK_DATA and the factor for
its timeouts in TIME_SCALE; it prints `version: …` and exits with 0, or reports the failure and exits with another status.
"""

import argparse
import dataclasses
import hashlib
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GO_SOURCES = "/usr/share/gocode"
REQUIREMENTS = HERE / "requirements.txt"


class Missing(Exception):
    """The reason why a session cannot run here."""


def program(*names):
    """The first installed one of these programs."""
    for name in names:
        if found := shutil.which(name):
            return found
    raise Missing(f"no {names[0]}")


def answers(*command):
    """Whether a command succeeds."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def neovim(script, options):
    return [program("nvim"), "--headless", "--clean", "-c", f"luafile {script}"], {}


def emacs(script, options):
    return [program("emacs"), "--batch", "-Q", "-l", str(script)], {}


def eglot(script, options):
    command, environment = emacs(script, options)
    probe = '(or (require \'eglot nil t) (progn (setq package-directory-list (list "/usr/share/emacs/site-lisp/elpa"))'
    if not answers(*command[:3], "--eval", f"{probe} (package-initialize) (require 'eglot)))"):
        raise Missing("no eglot for Emacs")
    return command, environment


def vim(script, options):
    vim = program("vim")
    if not answers(vim, "-Nu", "NONE", "-es", "+if !has('channel') || !has('vim9script') | cquit | endif", "+qall!"):
        raise Missing("vim has no channels")
    return [vim, "-Nu", "NONE", "-es", "-S", str(script)], {}


def environment_python(options):
    python = options.venv / "bin" / "python"
    if not python.exists():
        raise Missing(f"no {python} (run.py --install makes it)")
    return str(python)


def pypi(script, options):
    return [environment_python(options), str(script)], {}


def pytest(script, options):
    settings = [f"-o{setting}" for setting in ("asyncio_mode=auto", "asyncio_default_fixture_loop_scope=function")]
    return [environment_python(options), "-m", "pytest", "-qs", "-pno:cacheprovider", *settings, str(script)], {}


def introspection(script, options):
    for python in (sys.executable, "/usr/bin/python3"):
        if answers(python, "-c", "import gi; gi.require_version('Jsonrpc', '1.0'); from gi.repository import Jsonrpc"):
            return [python, str(script)], {}
    raise Missing("no jsonrpc-glib for Python")


def go(script, options):
    go = program("go")
    if not os.path.isdir(f"{GO_SOURCES}/src/github.com/sourcegraph/jsonrpc2"):
        raise Missing(f"no sourcegraph/jsonrpc2 in {GO_SOURCES}")
    return [go, "run", str(script)], {"GO111MODULE": "off", "GOPATH": GO_SOURCES, "GOFLAGS": ""}


def plain(script, options):
    return [sys.executable, str(script)], {}


def syncthing(script, options):
    program("syncthing")
    return plain(script, options)


def mounting(script, options):
    """In a mount namespace of its own, whose mounts vanish with the session."""
    unshare = [program("unshare"), *(["--mount"] if os.geteuid() == 0 else ["--user", "--map-root-user", "--mount"])]
    if not answers(*unshare, program("mount"), "-t", "tmpfs", "-o", "size=1m", "daybook", tempfile.gettempdir()):
        raise Missing("mounting is not permitted")
    return [*unshare, sys.executable, str(script)], {}


@dataclasses.dataclass(frozen=True)
class Session:
    """A script, and the function that makes its command."""

    script: str
    command: callable

    @property
    def name(self):
        folder, file = self.script.split("/")
        stem = file.split(".")[0]
        return folder if stem in ("session", "test_session") else f"{folder}/{stem}"


SESSIONS = [
    Session("neovim/rpc.lua", neovim),
    Session("neovim/editor.lua", neovim),
    Session("emacs-jsonrpc/session.el", emacs),
    Session("eglot/session.el", eglot),
    Session("vim-channel/header.vim", vim),
    Session("vim-channel/newline.vim", vim),
    Session("pygls/session.py", pypi),
    Session("pytest-lsp/test_session.py", pytest),
    Session("python-lsp-jsonrpc/session.py", pypi),
    Session("mcp-stdio/session.py", pypi),
    Session("jsonrpc-glib/session.py", introspection),
    Session("go-jsonrpc2/session.go", go),
    Session("icalendar/session.py", pypi),
    Session("sync/syncthing.py", syncthing),
    Session("sync/full.py", mounting),
    Session("sync/kills.py", plain),
]


@dataclasses.dataclass
class Outcome:
    """The result of a session; `output` is shown if it failed."""

    result: str
    version: str = ""
    seconds: float = 0
    output: str = ""


def run(session, options):
    """Runs one session on a new data folder."""
    script = HERE / session.script
    try:
        command, environment = session.command(script, options)
    except Missing as reason:
        return Outcome("failed" if options.require else "skipped", output=str(reason))

    # A short path, as some clients put sockets below their home.
    with tempfile.TemporaryDirectory(prefix="daybook-") as scratch:
        data, home, log = (pathlib.Path(scratch, name) for name in ("data", "home", "log"))
        home.mkdir()
        environment = {
            **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state"),
            "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC", "TIME_SCALE": str(options.scale),
            "GOCACHE": str(options.cache / "go"), **environment,
            "DAYBOOK": str(options.daybook), "DAYBOOK_DATA": str(data),
        }
        started = time.monotonic()
        with open(log, "wb") as output:
            process = subprocess.Popen(
                command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
            faults = []
            try:
                status = process.wait(60 * options.scale)
                if status != 0:
                    faults.append(f"exit status {status}")
            except subprocess.TimeoutExpired:
                faults.append(f"no end after {60 * options.scale:g} seconds")
                process.kill()
            if survivors := end_survivors(data, 5 * options.scale):
                faults.append(f"the service outlived its client: {survivors}")
            end_group(process)
        seconds = time.monotonic() - started
        text = log.read_text(errors="replace")
    version = re.search(r"^version: (.*)$", text, re.MULTILINE)
    if not version:
        faults.append("the session did not say its version")
    return Outcome(
        "failed" if faults else "passed", version.group(1) if version else "", seconds, "\n".join([text.rstrip(), *faults]))


def end_group(process):
    """Kills the rest of the session's process group."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    process.wait()


def end_survivors(data, patience):
    """Waits for processes whose arguments name the data folder, or one in it; kills and returns those that stay.

    Linux only.
    """
    survivors = []
    deadline = time.monotonic() + patience
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(data) not in (folder / "cmdline").read_bytes():
                continue
            handle = os.pidfd_open(int(folder.name))
        except OSError:  # exited meanwhile, or not ours
            continue
        try:
            if not select.select([handle], [], [], max(0, deadline - time.monotonic()))[0]:
                survivors.append(int(folder.name))
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
    return survivors


def install(folder):
    """Makes the virtual environment, unless it already matches `requirements.txt`."""
    stamp = folder / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted and (folder / "bin" / "python").exists():
        return
    venv.create(folder, clear=True, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*pip, "install", "--only-binary", ":all:", "--requirement", REQUIREMENTS], check=True)
    stamp.write_text(wanted)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SESSION", help="a session, or a client for all its sessions (all)")
    parser.add_argument("--daybook", type=pathlib.Path, default=ROOT / ".build/debug/daybook", metavar="PATH",
                        help="the service")
    parser.add_argument("--require", action="store_true", help="fail if a program is missing; implied by CI=true")
    parser.add_argument("--venv", type=pathlib.Path, default=ROOT / ".build/interop-venv", metavar="DIR",
                        help="the virtual environment of the clients from PyPI")
    parser.add_argument("--install", action="store_true", help="make the virtual environment, and run only named sessions")
    parser.add_argument("--list", action="store_true", help="print the sessions")
    options = parser.parse_args()
    options.require = options.require or os.environ.get("CI") == "true"
    options.scale = float(os.environ.get("TIME_SCALE", "1"))
    options.daybook = options.daybook.absolute()
    options.venv = options.venv.absolute()
    options.cache = options.venv.parent / "interop-cache"
    unknown = [name for name in options.names if not any(named(session, name) for session in SESSIONS)]
    if unknown:
        parser.error(f"no such session: {', '.join(unknown)}")
    return options


def named(session, name):
    return name in (session.name, session.name.split("/")[0])


def main():
    options = arguments()
    sessions = [s for s in SESSIONS if not options.names or any(named(s, name) for name in options.names)]
    if options.list:
        print("\n".join(session.name for session in sessions))
        return 0
    if options.install:
        install(options.venv)
        if not options.names:
            return 0
    if not os.access(options.daybook, os.X_OK):
        sys.exit(f"no {options.daybook}; swift build --product daybook makes it")

    outcomes = {}
    row = "{:<22} {:<34} {:<8} {:>7}"
    print(row.format("client", "version", "result", "seconds"))
    for session in sessions:
        outcome = outcomes[session.name] = run(session, options)
        line = row.format(session.name, outcome.version, outcome.result, f"{outcome.seconds:.2f}")
        print(f"{line}  {outcome.output}" if outcome.result == "skipped" else line, flush=True)
    for name, outcome in outcomes.items():
        if outcome.result == "failed":
            print(f"\n--- {name}\n{outcome.output}")
    counts = [f"{sum(o.result == kind for o in outcomes.values())} {kind}" for kind in ("passed", "failed", "skipped")]
    print(", ".join(counts))
    return 0 if all(o.result != "failed" for o in outcomes.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
