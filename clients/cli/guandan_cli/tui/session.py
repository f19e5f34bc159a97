"""One client's news as a value: what the server says becomes `Seen`, what we do becomes messages.

It draws nothing and reads no clock but the one it is given, so that it can be tested alone.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, Final

from attrs import evolve

from guandan_cli import narrate
from guandan_cli.exits import Exit, Failure, exit_of
from guandan_cli.fairness import Witness
from guandan_cli.passing import moment
from guandan_cli.preferences import Preferences
from guandan_cli.scene import Scene, updated, welcomed
from guandan_cli.texts import Lang
from guandan_cli.texts import texts as texts_of
from guandan_cli.tui.narrow import narrowed
from guandan_cli.tui.seen import Seen
from guandan_cli.tui.selection import Selection
from guandan_cli.words import Words, printable
from guandan_engine.cards import Cards
from guandan_engine.seats import Seat
from guandan_engine.views import Dealt, Passed, PhaseName, Played, SeatEvent, TrickClosed
from guandan_protocol import messages as m
from guandan_protocol.client import Ended, Lost, Notice, TableClient
from guandan_protocol.errors import BadMessage, SessionEnded
from guandan_protocol.messages import Code

__all__ = ["Session", "dressed", "opened"]

LOG_LINES_MAX: Final = 400
NONCE_BYTES: Final = 16
SAID_S: Final = 6.0
"""How long a phrase stands beside a seat."""
SAID_MAX: Final = 8
REASON_CHARS_MAX: Final = 200


def dressed(words: Words, preferences: Preferences) -> Words:
    """The words in the language and with the colours that are preferred."""
    if preferences.lang is not None and preferences.lang is not words.texts.lang:
        words = evolve(words, texts=narrowed(texts_of(preferences.lang)))
    return evolve(words, two_colours=preferences.two_colours)


async def opened(client: TableClient, words: Words, server: str) -> m.Welcome:
    """The first welcome; Failure if we are not let in."""
    texts = words.texts
    async for notice in client:
        match notice:
            case m.Welcome():
                return notice
            case Lost(why=why) | Ended(text=why):
                code = notice.code if isinstance(notice, Ended) else why.partition(":")[0]
                if code in set(Code):
                    raise Failure(exit_of(code), texts.named("code", code))
                why = printable(why or code, REASON_CHARS_MAX)
                said = texts("play.unreachable", server=server, why=why)
                raise Failure(Exit.NO_CONNECTION, said)
            case _:
                pass
    raise Failure(Exit.NO_CONNECTION, texts("play.unreachable", server=server, why="?"))


class Session:
    """A seat, or a watcher, at one table."""

    def __init__(
        self,
        client: TableClient,
        words: Words,
        welcome: m.Welcome,
        *,
        preferences: Preferences,
        seated: Callable[[Scene], Iterable[str]],
        now: Callable[[], float],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        keep: Callable[[Mapping[str, object]], None] = lambda _: None,
        moment: Callable[[], float] = moment,
    ) -> None:
        """`seated` says what to say of a seat just taken, `spawn` runs what has to wait.

        `keep` stores preferences that were changed, OSError if it cannot; `moment` says after how
        many seconds we pass by ourselves.
        """
        self.client = client
        self.levels = welcome.levels
        self.is_leaving = False
        """The seat is being given up on purpose."""
        self._seated = seated
        self._now = now
        self._spawn = spawn
        self._keep = keep
        self._moment = moment
        self._pass_at: float | None = None
        self._witness = Witness()
        self._deadline: float | None = None
        self._deal_at: float | None = None
        self._retry_at: float | None = None
        self._epoch = welcome.epoch
        self._said_at: list[float] = []
        self._trick: list[str] = []
        self._is_acting = False
        self._asked = 0
        """Of previews: only the newest one's answer counts."""
        self.seen = Seen(welcomed(welcome), dressed(words, preferences), preferences=preferences)
        self._clock(welcome.view)
        self._log(*seated(self.seen.scene))

    def _set(self, **changes: Any) -> None:
        self.seen = evolve(self.seen, **changes)

    def _log(self, *lines: str) -> None:
        self._set(log=(*self.seen.log, *lines)[-LOG_LINES_MAX:])

    def begin(self) -> None:
        """Ask what there is to ask about the turn that we came into."""
        self._begin_turn(None)

    # In

    def hear(self, notice: Notice) -> None:
        """Take in what the client says; Failure if it was the last word and not a good one."""
        match notice:
            case m.Welcome():
                self._welcome(notice)
            case m.Update():
                self._update(notice)
            case m.Said():
                self._hear_said(notice)
            case Lost(retry_ms=retry_ms):
                if self._retry_at is None:
                    self._log(self.seen.words.texts("link.lost"))
                self._retry_at = self._now() + retry_ms / 1000
                self.tick()
            case Ended():
                self._ended(notice)

    def _welcome(self, welcome: m.Welcome) -> None:
        before, texts = self.seen.scene, self.seen.words.texts
        if self._retry_at is not None:
            self._retry_at = None
            self._log(texts("link.back"))
        if welcome.epoch > self._epoch:
            self._log(texts("link.rewound"))
        self._epoch = welcome.epoch
        self._trick = []
        self._see(welcomed(welcome))
        if before.seat != welcome.seat:
            self._log(*self._seated(self.seen.scene))

    def _update(self, update: m.Update) -> None:
        before, words = self.seen.scene, self.seen.words
        if update.epoch > self._epoch:
            self._log(words.texts("link.rewound"))
        self._epoch = update.epoch
        scene = updated(before, update)
        self._log(*narrate.changes(before, scene, words))
        level = before.public.level
        self._log(*narrate.events(update.events, scene, words, level=level))
        for event in update.events:
            self._check(event)
            level = event.level if isinstance(event, Dealt) else level
            self._trick_goes_on(event, narrate.event(event, scene, words, level=level))
        self._see(scene)
        if before.seat != scene.seat:
            self._log(*self._seated(scene))

    def _check(self, event: SeatEvent) -> None:
        honest = self._witness.saw(event, self.seen.scene.seat)
        if honest is not None:
            self._log(self.seen.words.texts("deal.honest" if honest else "deal.false"))

    def _trick_goes_on(self, event: SeatEvent, lines: list[str]) -> None:
        match event:
            case Played() | Passed():
                self._trick += lines
            case TrickClosed():
                self._set(last_trick=(*self._trick, *lines))
                self._trick = []
            case Dealt():
                self._set(last_trick=())
                self._trick = []
            case _:
                pass

    def _see(self, scene: Scene) -> None:
        """Another view; the selection keeps what the hand still holds."""
        before = self.seen.scene
        self._set(scene=scene, retry_s=None)
        self._clock(scene.view)
        kept = self.seen.selection.kept(self.seen.hand, scene.public.level)
        if kept != self.seen.selection:
            self._set(selection=kept, previewed=None, choice=0, hinted=None)
        if scene.public.turn != before.public.turn or scene.public.phase != before.public.phase:
            self._begin_turn(before)
        elif self.seen.hints is None and self.seen.may_act and not before.plays_in_person:
            self._begin_turn(before)  # the seat was taken back in the middle of its turn

    def _begin_turn(self, before: Scene | None) -> None:
        """What was known of another turn is no longer true."""
        self._set(hints=None, hinted=None, message="")
        self._think_of_passing()
        if self.seen.taken:
            self._ask_preview()
        if self.seen.may_act and self.seen.scene.view.settings.hints:
            self._spawn(self._fetch_hints(preselect=before is None or self.seen.is_exchange))

    def _hear_said(self, heard: m.Said) -> None:
        words = self.seen.words
        if self.seen.muted.has(heard.seat, self.seen.scene):
            return
        self._log(narrate.said(heard, self.seen.scene, words))
        phrase = printable(words.texts.named("phrase", heard.phrase), REASON_CHARS_MAX)
        self._set(said=(*self.seen.said, (heard.seat, phrase))[-SAID_MAX:])
        self._said_at = [*self._said_at, self._now()][-SAID_MAX:]

    def _ended(self, ended: Ended) -> None:
        texts = self.seen.words.texts
        if ended.code == Code.LEFT and self.is_leaving:
            return
        if ended.code in set(Code):
            raise Failure(exit_of(ended.code), texts.named("code", ended.code))
        raise Failure(Exit.NO_CONNECTION, printable(ended.text or ended.code, REASON_CHARS_MAX))

    # Time

    def _clock(self, view: m.RoomView) -> None:
        now = self._now()
        self._deadline = None if view.clock_ms is None else now + view.clock_ms / 1000
        self._deal_at = None if view.deal_ms is None else now + view.deal_ms / 1000
        self.tick()

    def tick(self) -> None:
        """Time goes on; while the link is lost the clock stands still."""
        now = self._now()
        while self._said_at and now - self._said_at[0] > SAID_S:
            self._said_at.pop(0)
            self._set(said=self.seen.said[1:])
        if self._retry_at is not None:
            self._set(retry_s=max(0, math.ceil(self._retry_at - now)))
            return
        if self._pass_at is not None and now >= self._pass_at:
            self._pass_at = None
            if self.seen.passes_by_itself:
                self._spawn(self.pass_())
        left, deal = _left(self._deadline, now), _left(self._deal_at, now)
        if (left, deal) != (self.seen.clock_s, self.seen.deal_s):
            self._set(clock_s=left, deal_s=deal)

    async def ping(self) -> None:
        """How long an answer takes now."""
        if self._retry_at is not None:
            return
        start = self._now()
        try:
            answer = await self.client.ask(m.Ping(id=0))
        except SessionEnded:
            return
        if isinstance(answer, m.Pong):
            self._set(latency_ms=round((self._now() - start) * 1000))

    # The selection

    def select(self, selection: Selection) -> None:
        """Take other cards, and ask what they are."""
        self.seen = self.seen.selecting(selection)
        if self.seen.taken:
            self._ask_preview()

    def _ask_preview(self) -> None:
        self._asked += 1
        if self.seen.scene.is_live and not self.seen.is_exchange:
            self._spawn(self._preview(self._asked))

    async def _preview(self, number: int) -> None:
        answer = await self._previewed(self.seen.taken)
        if number == self._asked and answer is not None:
            self._set(previewed=answer)

    async def _previewed(self, cards: Cards) -> m.Previewed | None:
        try:
            answer = await self.client.ask(m.Preview(id=0, cards=cards))
        except SessionEnded:
            return None
        return answer if isinstance(answer, m.Previewed) else None

    def next_reading(self, step: int) -> None:
        able = self.seen.able
        if len(able) > 1:
            self._set(choice=(self.seen.choice + step) % len(able))

    def complain(self, message: str) -> None:
        self._set(message=message)

    def other_suits(self) -> None:
        """The same ranks in other suits; with nothing taken, the straight flushes of the hand."""
        scene, texts = self.seen.scene, self.seen.words.texts
        level, rules = scene.public.level, scene.rules
        changed = self.seen.selection.in_other_suits(self.seen.hand, level, rules)
        if changed is not None:
            self.select(changed)
        elif self.seen.taken:
            self.complain(texts("tui.no_other_suits"))
        else:
            self.complain(texts("tui.no_flush"))

    def look(self, eye: Seat) -> None:
        """From another side of the table, for those who have no seat."""
        self._set(eye=eye)

    def mute(self, seat: Seat) -> None:
        """Hear no phrases of a seat any more, or hear them again."""
        seen = self.seen
        both = zip(seen.said, self._said_at, strict=True)
        kept = [(said, at) for said, at in both if said[0] != seat]
        self._said_at = [at for _, at in kept]
        said = tuple([said for said, _ in kept])
        self._set(muted=seen.muted.toggled(seat, seen.scene), said=said)

    # What is liked

    def prefer(self, **changes: object) -> None:
        """Change how the table is liked, and keep it for the next time."""
        preferences = evolve(self.seen.preferences, **changes)  # type: ignore[arg-type]  # fields by name
        self._set(preferences=preferences, words=dressed(self.seen.words, preferences))
        try:
            self._keep(changes)
        except OSError as error:
            why = error.strerror or str(error)
            self.complain(self.seen.words.texts("tui.not_kept", why=why))
        if "auto_pass" in changes:
            self._think_of_passing()

    def next_sort(self) -> None:
        self.prefer(sort=self.seen.sort.next)

    def next_colours(self) -> None:
        self.prefer(two_colours=not self.seen.preferences.two_colours)

    def next_language(self) -> None:
        order = list(Lang)
        self.prefer(lang=order[(order.index(self.seen.words.texts.lang) + 1) % len(order)])

    # Passing by ourselves

    def _think_of_passing(self) -> None:
        """Where nothing beats the table, and the player likes it so, we pass after a moment."""
        self._pass_at = self._now() + self._moment() if self.seen.passes_by_itself else None

    # Hints

    async def _fetch_hints(self, *, preselect: bool) -> None:
        turn = self.seen.scene.public.turn
        try:
            answer = await self.client.ask(m.AskHints(id=0))
        except SessionEnded:
            return
        if not isinstance(answer, m.Hints) or answer.turn != self.seen.scene.public.turn:
            return
        self._set(hints=answer)
        is_ours = turn == self.seen.scene.public.turn
        if preselect and is_ours and self.seen.is_exchange and not self.seen.taken:
            self._take_hint(answer.best)

    async def hint(self, step: int) -> None:
        """The next one, or the one before it; the first is the cheapest."""
        hints = await self._hints()
        if hints is None or not hints.hints:
            return
        now = self.seen.hinted
        if now is None:
            now = -1 if step > 0 else 0
        self._take_hint((now + step) % len(hints.hints))

    async def suggest(self) -> None:
        """Take what is recommended, and say why."""
        hints = await self._hints()
        if hints is not None and hints.best >= 0:
            self._take_hint(hints.best)

    async def _hints(self) -> m.Hints | None:
        """The hints of this turn; says why if there are none."""
        texts = self.seen.words.texts
        if not self.seen.may_act:
            self.complain(texts("hint.not_asked"))
            return None
        if not self.seen.scene.view.settings.hints:
            self.complain(texts.named("code", Code.HINTS_OFF))
            return None
        if self.seen.hints is None:
            await self._fetch_hints(preselect=False)
        if self.seen.hints is None or not self.seen.hints.hints:
            self.complain(texts("hint.none"))
        return self.seen.hints

    def _take_hint(self, index: int) -> None:
        hints = self.seen.hints
        if hints is None or not 0 <= index < len(hints.hints):
            return
        self.seen = self.seen.selecting(Selection(hints.hints[index].cards), hinted=index)
        if self.seen.taken:
            self._ask_preview()

    # Out

    async def act(self, action: m.Action) -> bool:
        """Do something; why it was refused stands in the line."""
        self._is_acting = True
        try:
            answer = await self.client.act(action)
        except SessionEnded:
            return False
        except BadMessage as error:
            self.complain(str(error))
            return False
        finally:
            self._is_acting = False
        if isinstance(answer, m.Refused):
            words = self.seen.words
            why = words.refusal(answer.code, answer.text)
            self.complain(words.texts("refused", why=why))
            return False
        return True

    def do(self) -> Coroutine[Any, Any, None]:
        """Play, pay or return what is taken now, whatever is taken before that is done."""
        return self._do(self.seen)

    async def _do(self, seen: Seen) -> None:
        texts = seen.words.texts
        hint = seen.hint
        if self._is_acting:
            return  # pressed twice
        if not seen.may_act:
            self.complain(texts.named("reason", "not_your_turn"))
        elif hint is not None and not hint.cards:
            await self.pass_()
        elif not seen.taken:
            if not self.seen.taken:  # by now a hint may have come that was asked for just before
                self.complain(texts("tui.take_first"))
        elif seen.is_exchange:
            await self._give(seen)
        else:
            await self._play(seen)

    async def _play(self, seen: Seen) -> None:
        """As what the line names; where the answer is still on its way, it is waited for."""
        if seen.previewed is None:
            seen = evolve(seen, previewed=await self._previewed(seen.taken))
        if seen.reading is None:
            return  # the line says why
        turn = seen.scene.public.turn
        play = m.Play(n=0, cards=seen.taken, reading=seen.reading, turn=turn)
        if await self.act(play) and self.seen.selection == seen.selection:
            self._set(selection=Selection(), previewed=None, hinted=None, choice=0)

    async def _give(self, seen: Seen) -> None:
        words = seen.words
        if len(seen.taken) != 1:
            self.complain(words.texts("entry.one_card"))
            return
        (card,) = seen.taken
        if card not in seen.eligible:
            self.complain(words.texts("entry.not_eligible", card=words.card(card)))
            return
        # Without the turn, for in a double tribute the other's choice moves it.
        paying = seen.scene.public.phase is PhaseName.PAYING
        give = m.Pay(n=0, card=card) if paying else m.GiveBack(n=0, card=card)
        if await self.act(give):
            self._set(selection=Selection(), hinted=None)

    async def pass_(self) -> None:
        await self.act(m.Pass(n=0, turn=self.seen.scene.public.turn))

    async def ready(self, *, ready: bool) -> None:
        nonce = secrets.token_bytes(NONCE_BYTES) if ready else b""
        self._witness.nonce = nonce or None
        await self.act(m.Ready(n=0, ready=ready, nonce=nonce))

    async def say(self, phrase: m.Phrase) -> None:
        try:
            answer = await self.client.ask(m.Say(id=0, phrase=phrase))
        except SessionEnded:
            return
        if isinstance(answer, m.Refused):
            words = self.seen.words
            why = words.refusal(answer.code, answer.text)
            self.complain(words.texts("refused", why=why))


def _left(until: float | None, now: float) -> int | None:
    """Whole seconds, of which the last one is 1 until it is over."""
    return None if until is None else max(0, math.ceil(until - now))
