"""Stands between us and the bundled store, so that it never outlives us.

    python -I -S launcher.py exec|watch PARENT COMMAND…

A `kill -9` of the parent runs no code of the parent's. Two ways to notice it, and in both the
store dies at once, which costs nothing: what it acknowledged is on disk.

`exec` (Linux): ask the kernel for a SIGKILL at the parent's death, then become the command. The
kernel means the parent *thread*, so the parent starts us from its main thread.

`watch` (elsewhere): run the command as a child and read standard input, a pipe whose other end
only the parent holds. It ends when the parent does.

Why a program and not `preexec_fn`: that runs between fork and exec in a process with threads,
where Python promises nothing; and the second way needs a program anyhow. Standard library only,
started in isolated mode: it is up in a few dozen milliseconds.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def become(command: list[str], *, parent: int) -> None:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    # It may have died before we asked; then nothing will ever be sent.
    if os.getppid() != parent:
        return
    os.execv(command[0], command)  # noqa: S606 - no shell is the point


def watch(command: list[str]) -> int:
    # The lock on the data directory is among the open files, and has to live on in the child.
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)

    def kill_at_end_of_input() -> None:
        os.read(0, 1)  # not `sys.stdin`: its lock, held here, would hang our own end
        child.kill()

    # A signal that the reading thread took would not wake this one.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    threading.Thread(target=kill_at_end_of_input, daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    return child.wait()


if __name__ == "__main__":
    mode, parent, *command = sys.argv[1:]
    if mode == "exec":
        become(command, parent=int(parent))
    else:
        sys.exit(abs(watch(command)))
