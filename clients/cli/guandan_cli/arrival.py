"""What is said when we are let in; stores the seat, so that we can come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guandan_cli import sitting
from guandan_cli.address import invitation
from guandan_cli.kept import Keeper, Kept
from guandan_cli.scene import Scene
from guandan_cli.texts import Texts
from guandan_protocol.client import TableClient
from guandan_protocol.messages import Stage

__all__ = ["Arrival"]


class Arrival:
    """Called with the scene of each seat that we are given."""

    def __init__(self, client: TableClient, keeper: Keeper, server: str, texts: Texts) -> None:
        self._client = client
        self._keeper = keeper
        self._server = server
        self._texts = texts
        self._room = ""
        self.kept: Kept | None = None

    def __call__(self, scene: Scene) -> Iterator[str]:
        assert scene.seat is not None, "players are welcomed to a seat"
        if self.kept is not None and self.kept.seat == scene.seat:
            return
        self._room = scene.room
        first = self.kept is None
        others = self._keeper.seats(scene.room, self._server)
        self.kept = Kept(self._server, scene.room, scene.seat, self._client.token)
        yield self._texts("play.seated", room=scene.room, seat=scene.seat)
        others = [kept for kept in others if kept.token != self.kept.token]
        if first and others:
            yield self._texts("play.also_yours", seat=others[0].seat)
        try:
            self._keeper.keep(self.kept)
        except OSError as error:
            yield self._texts("play.not_kept", why=error.strerror or str(error))
            return
        if first and scene.view.stage is Stage.LOBBY:
            yield from self.invitation()
        if first:
            yield self.how_to_resume()

    def invitation(self) -> Sequence[str]:
        """How others get in: by a command, and by a link, which stands last."""
        join = sitting.command("play", self._room, server=self._server)
        return (
            self._texts("play.invite", command=join),
            self._texts("play.link", link=invitation(self._server, self._room)),
        )

    def how_to_resume(self) -> str:
        assert self.kept is not None
        command = sitting.resume_command(self._keeper, self.kept)
        return self._texts("play.resume", command=command)

    def forget(self) -> None:
        if self.kept is not None:
            self._keeper.forget(self.kept)
            self.kept = None
