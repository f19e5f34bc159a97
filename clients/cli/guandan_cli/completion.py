"""`guandan completion`: what makes a shell complete commands and options."""

from __future__ import annotations

from typing import Literal

from guandan_cli.exits import Exit

__all__ = ["completion"]


def completion(shell: Literal["bash", "zsh", "fish"], /) -> int:
    """Print a script that teaches a shell these commands and their options.

    For example:

        eval "$(guandan completion bash)"

        guandan completion zsh > ~/.zfunc/_guandan

        guandan completion fish > ~/.config/fish/completions/guandan.fish
    """
    from guandan_cli.main import command_line

    print(command_line().generate_completion(shell=shell), end="")
    return Exit.OK
