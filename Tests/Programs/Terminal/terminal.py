"""Runs a program under a pseudo-terminal of a given width, and prints what it prints there."""

import fcntl
import os
import pty
import struct
import sys
import termios


def main():
    columns, arguments = int(sys.argv[1]), sys.argv[2:]
    child, terminal = pty.fork()
    if child == 0:
        # The parent sets the size before it lets the program begin.
        sys.stdin.readline()
        os.execv(arguments[0], arguments)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = termios.tcgetattr(terminal)
    settings[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, settings)
    os.write(terminal, b"\n")
    output = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # The program has ended.
            break
        if not piece:
            break
        output += piece
    _, status = os.waitpid(child, 0)
    sys.stdout.buffer.write(output.replace(b"\r\n", b"\n"))
    sys.stdout.buffer.flush()
    sys.exit(os.waitstatus_to_exitcode(status))


main()
