"""Types a line with TABs into a shell on a pseudo-terminal, and prints what the shell then ran or showed.

    complete.py SHELL DAYBOOK FOLDER LINE [SHOWN]

The completions of the shell are loaded from “DAYBOOK completions SHELL”. In the session `daybook` asks DAYBOOK for
candidates, and otherwise prints its arguments. The output is these arguments, one a line; with SHOWN the session ends
when the terminal shows that text, and the output is `shown`. Nothing is waited for but output.
"""
import os
import pty
import re
import select
import shlex
import sys
import tempfile

LIMIT = 60  # seconds without output; ends a session that hangs


def main(shell, daybook, folder, line, shown=None):
    with tempfile.TemporaryDirectory() as home:
        os.mkdir(f"{home}/bin")
        with open(f"{home}/bin/daybook", "w", encoding="utf-8") as file:
            file.write(
                f'#!/bin/sh\nif [ "$1" = __complete ]; then exec {shlex.quote(daybook)} "$@"; fi\n'
                "printf 'ARGUMENTS<'; for word in \"$@\"; do printf '%s\\036' \"$word\"; done; echo '>END'\n")
        os.chmod(f"{home}/bin/daybook", 0o755)
        source = f"{home}/completions"
        os.system(f"{shlex.quote(daybook)} completions {shell} > {source}")
        environment = {
            "HOME": home, "PATH": f"{home}/bin:{os.environ['PATH']}", "TERM": "xterm", "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8", "DAYBOOK_HOME": folder, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home,
        }
        command, start = {
            "bash": (["bash", "--norc", "--noprofile", "-i"], f"PS1='READY''> '; . {source}"),
            "zsh": (["zsh", "-f", "-i"],
                    f"autoload -Uz compinit; compinit -u -D; . {source}; zstyle ':completion:*' list-prompt ''; "
                    "PROMPT='READY''> '"),
            "fish": (["fish", "--no-config", "-i"],
                     f"function fish_prompt; echo -n 'READY''> '; end; source {source}"),
        }[shell]
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe(command[0], command, environment)
        session = Session(terminal)
        session.type(start + "\r")
        session.wait("READY> ")
        session.type(line)
        if shown:
            session.wait(shown)
            print("shown")
        else:
            session.type("\r")
            words = session.wait(r"ARGUMENTS<([^>]*)>END")
            print("\n".join(words.group(1).split("\036")[:-1]))
        os.close(terminal)
        os.waitpid(child, 0)


class Session:
    def __init__(self, terminal):
        self.terminal, self.output = terminal, ""

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, pattern):
        """The first match in the output, without what moves the cursor and colours."""
        while True:
            plain = re.sub(r"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b[()=>][0-9A-Z]?|\x1b\][^\x07]*\x07|[\r\x0f]", "", self.output)
            match = re.search(pattern, plain)
            if match:
                return match
            ready, _, _ = select.select([self.terminal], [], [], LIMIT)
            data = b""
            if ready:
                try:
                    data = os.read(self.terminal, 65536)
                except OSError:
                    pass
            if not data:
                sys.exit(f"the session ended, or waits, without “{pattern}”:\n{plain}")
            text = data.decode(errors="replace")
            # fish asks the terminal what it is, and waits for the answer.
            if "\x1b[c" in text or "\x1b[0c" in text:
                self.type("\x1b[?62;22c")
            self.output += text


main(*sys.argv[1:])
