"""What is opened over the table by a key: each asks or tells, and then does what was chosen."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from guandan_cli import sheets
from guandan_cli.links import qr
from guandan_cli.lookback import LookBack
from guandan_cli.muting import speakers
from guandan_cli.scene import Role, Scene
from guandan_cli.tui.dialogs import Choices, Entry, Sheet
from guandan_cli.tui.rail import counter as counter_lines
from guandan_cli.tui.review_sheet import ReviewSheet
from guandan_cli.tui.rulebook import Draft, Rulebook
from guandan_cli.tui.seen import Seen
from guandan_cli.words import Words
from guandan_engine.cards import Card, Cards, Rank, rank_of, wild_of
from guandan_engine.order import height
from guandan_engine.seats import Seat
from guandan_protocol import messages as m
from guandan_protocol.messages import PACES_MS, Phrase, SeatKind, Stage

if TYPE_CHECKING:
    from guandan_cli.tui.app import TableApp

__all__ = [
    "autopilot",
    "choices",
    "counter",
    "help_",
    "invite",
    "last_trick",
    "main",
    "one",
    "phrases",
    "record",
    "review",
    "rules",
    "seat",
    "wild",
]

LEVELS: Final = ("club", "expert", "basic", "random")
"""Of bots, where a server does not name its own."""
PHRASE_KEYS: Final = "1234567890-="
COUNTER_WIDTH: Final = 44
LANGUAGES: Final = "中文 / English"
"""In both, for whoever looks for it cannot read one of them."""

Work = Coroutine[Any, Any, None]
"""What has to wait for the server."""


# Cards, for tribute.


def wild(seen: Seen) -> Card:
    return wild_of(seen.scene.public.level)


def one(card: Card) -> Cards:
    return Cards.of([card])


def choices(seen: Seen, rank: Rank | None) -> list[Card]:
    """What may be given of a rank, or the wild."""
    level = seen.scene.public.level
    found = [
        card
        for card in seen.eligible
        if (card == wild(seen) if rank is None else rank_of(card) is rank and card != wild(seen))
    ]
    return sorted(found, key=lambda card: (height(rank_of(card), level), card))


# To read.


def _show(app: TableApp, title: str, lines: Sequence[str]) -> None:
    texts = app.words.texts
    app.push_screen(Sheet(texts(title), lines, how=texts("tui.more_how")))


def counter(app: TableApp) -> None:
    lines = [line.plain for line in counter_lines(app.seen, COUNTER_WIDTH)]
    _show(app, "tui.counter", lines)


def last_trick(app: TableApp) -> None:
    lines = app.seen.last_trick or (app.words.texts("tui.no_last"),)
    _show(app, "tui.last_title", lines)


def record(app: TableApp) -> None:
    lines = sheets.record(app.seen.scene, app.words)
    _show(app, "tui.record", lines)


def help_(app: TableApp) -> None:
    watching = app.seen.scene.seat is None
    text = app.words.texts("tui.help_watch" if watching else "tui.help_text")
    _show(app, "tui.help", text.splitlines())


def review(app: TableApp) -> None:
    """Of our own play, once a match is over; what it found stays to be read in the next one."""
    scene = app.seen.scene
    is_over = scene.view.stage is Stage.MATCH_OVER
    if scene.seat is None or not (is_over or app.look_back):
        return
    if app.look_back is None or (is_over and app.look_back.looked.match != scene.view.match):
        app.look_back = LookBack(app.client, scene)
    app.push_screen(ReviewSheet(app, app.look_back))


def invite(app: TableApp) -> None:
    """How friends get in: by the command, by the link, and by its picture where there is room."""
    lines = list(app.invitation())
    link = lines[-1].split()[-1] if lines else ""
    if "://" in link:
        picture = qr(link).splitlines()
        if len(picture) + len(lines) + 4 <= app.size.height:
            lines += ["", *picture]
    _show(app, "tui.invite", lines)


# To choose.


def phrases(app: TableApp) -> None:
    scene, texts = app.seen.scene, app.words.texts
    if scene.seat is None or not scene.view.settings.phrases:
        return
    entries = [
        Entry(phrase.value, texts.named("phrase", phrase.value), key)
        for phrase, key in zip(Phrase, PHRASE_KEYS, strict=False)
    ]
    dialog = Choices(texts("tui.phrases"), entries)
    app.ask(dialog, lambda chosen: app.session.say(Phrase(chosen)))


def autopilot(app: TableApp) -> Work | None:
    """At which pace; a second press takes the seat back at once."""
    scene, texts = app.seen.scene, app.words.texts
    if not scene.plays_in_person:
        return app.do(m.Autopilot(n=0, on=False))
    entries = _paces(app.words, now=app.seen.preferences.pace_ms)

    def chosen(pace: str) -> Work:
        app.session.prefer(pace_ms=int(pace))
        return app.do(m.Autopilot(n=0, on=True, pace_ms=int(pace)))

    app.ask(Choices(texts("tui.autopilot_how"), entries), chosen)
    return None


def _paces(words: Words, *, now: int) -> list[Entry]:
    return [
        Entry(
            str(pace),
            words.texts("tui.pace", s=f"{pace / 1000:g}"),
            str(number),
            is_now=pace == now,
        )
        for number, pace in enumerate(PACES_MS, start=1)
    ]


def seat(app: TableApp, place: Seat) -> None:
    """What can be done about a seat in the lobby."""
    scene, words = app.seen.scene, app.words
    entries = list(_about(place, scene, words, app.session.levels or LEVELS))
    if not entries:
        return

    def chosen(value: str) -> Work:
        match value.split(" "):
            case ["bot", level]:
                return app.do(m.AddBot(n=0, seat=place, level=level))
            case ["decline"]:
                return app.do(m.Decline(n=0, seat=place))
            case ["no_bot"]:
                return app.do(m.RemoveBot(n=0, seat=place))
            case ["kick"]:
                return app.do(m.Kick(n=0, seat=place))
            case _:
                return app.do(m.Sit(n=0, seat=place))

    who = words.texts("who.other", seat=place, name=words.name(scene.info(place)))
    app.ask(Choices(who, entries), chosen)


def _about(place: Seat, scene: Scene, words: Words, levels: tuple[str, ...]) -> Iterator[Entry]:
    texts, info = words.texts, scene.info(place)
    if scene.seat is None or scene.role(place) is Role.YOU:
        return
    asked = (place, scene.seat) in scene.view.swaps
    if info.kind is not SeatKind.PERSON:
        yield Entry("sit", texts("tui.sit"), "s")
    else:
        yield Entry("sit", texts("tui.swap_agree" if asked else "tui.swap"), "s")
        if asked:
            yield Entry("decline", texts("tui.swap_decline"), "n")
    if not scene.is_host:
        return
    if info.kind is SeatKind.PERSON:
        yield Entry("kick", texts("tui.kick"), "k")
        return
    for i, level in enumerate(levels, start=1):
        named = texts.named("strength", level)
        is_now = info.kind is SeatKind.BOT and info.level == level
        yield Entry(f"bot {level}", texts("tui.bot", level=named), str(i), is_now=is_now)
    if info.kind is SeatKind.BOT:
        yield Entry("no_bot", texts("tui.no_bot"), "x")


def rules(app: TableApp) -> None:
    view = app.seen.scene.view
    may_change = app.seen.scene.is_host and view.stage in (Stage.LOBBY, Stage.MATCH_OVER)
    draft = Draft.of(view.preset, view.options, view.settings)

    def chosen(changed: Draft | None) -> None:
        if changed is not None and changed != draft:
            app.later(app.do(changed.action()))

    app.push_screen(Rulebook(draft, app.words, may_change=may_change), chosen)


def main(app: TableApp) -> None:
    """All that has no key of its own, and the way out."""
    entries = list(_menu(app.seen, app.words, app.look_back))
    if not app.invitation():  # a match of one's own, to which nobody can come
        entries = [entry for entry in entries if entry.value != "invite"]
    dialog = Choices(app.words.texts("tui.menu"), entries)
    app.ask(dialog, lambda chosen: _chosen(app, chosen))


def _chosen(app: TableApp, what: str) -> Work | None:
    match what:
        case "record":
            record(app)
        case "review":
            review(app)
        case "rules":
            rules(app)
        case "invite":
            invite(app)
        case "mute":
            _mute(app)
        case "pace":
            _pace(app)
        case "bell" | "dim" | "auto_pass":
            app.session.prefer(**{what: not getattr(app.seen.preferences, what)})
        case "colours":
            app.session.next_colours()
        case "lang":
            app.session.next_language()
        case "new":
            return app.do(m.Propose(n=0, proposal=m.Proposal.NEW_GAME))
        case "later":
            scene = app.seen.scene
            assert scene.seat is not None
            return app.do(m.Later(n=0, later=not scene.info(scene.seat).later))
        case "leave":
            return _leave(app)
        case "quit":
            app.action_leave_screen()
        case _:
            pass
    return None


def _menu(seen: Seen, words: Words, look_back: LookBack | None) -> Iterator[Entry]:
    texts, scene, own = words.texts, seen.scene, seen.scene.seat
    yield Entry("record", texts("tui.record"), "r")
    if own is not None and (look_back or scene.view.stage is Stage.MATCH_OVER):
        yield Entry("review", texts("tui.review"), "y")
    yield Entry("rules", texts("tui.rules_settings"), "u")
    if own is not None:
        yield Entry("invite", texts("tui.invite"), "i")
        if scene.is_host:
            yield Entry("pace", texts("tui.bot_pace"), "b")
        on = {True: texts("tui.on"), False: texts("tui.off")}
        yield Entry("auto_pass", texts("tui.auto_pass", state=on[seen.preferences.auto_pass]), "p")
        yield Entry("bell", texts("tui.bell", state=on[seen.preferences.bell]), "g")
        yield Entry("dim", texts("tui.dim", state=on[seen.preferences.dim]), "d")
    if any(speakers(scene)):
        yield Entry("mute", texts("tui.mute"), "s")
    number = 2 if seen.preferences.two_colours else 4
    yield Entry("colours", texts("tui.colours", n=number), "f")
    yield Entry("lang", LANGUAGES, "t")
    if own is not None:
        if scene.view.stage is not Stage.LOBBY:
            key = "tui.not_later" if scene.info(own).later else "tui.later"
            yield Entry("later", texts(key), "l")
            if scene.is_host:
                yield Entry("new", texts("tui.new_game"), "n")
        yield Entry("leave", texts("tui.leave"), "v")
    yield Entry("quit", texts("tui.quit" if own is not None else "tui.quit_watch"), "q")


def _pace(app: TableApp) -> None:
    """Of the bots, which the host may change at any time."""
    entries = _paces(app.words, now=app.seen.scene.view.settings.pace_ms)
    dialog = Choices(app.words.texts("tui.bot_pace"), entries)
    app.ask(dialog, lambda chosen: app.do(m.SetPace(n=0, pace_ms=int(chosen))))


def _mute(app: TableApp) -> None:
    """Whose phrases are shown, and whose are not."""
    seen, words = app.seen, app.words
    on = {True: words.texts("tui.on"), False: words.texts("tui.off")}
    entries = [
        Entry(
            str(seat),
            words.texts(
                "tui.mute_seat",
                who=words.who(seat, seen.scene),
                state=on[not seen.muted.has(seat, seen.scene)],
            ),
            str(seat),
        )
        for seat in speakers(seen.scene)
    ]
    app.ask(
        Choices(words.texts("tui.mute"), entries),
        lambda chosen: app.session.mute(Seat(int(chosen))),
    )


def _leave(app: TableApp) -> Work | None:
    """Give the seat up, but not by a slip of the finger while a match is on."""
    texts = app.words.texts
    if app.seen.scene.view.stage not in (Stage.PLAYING, Stage.PAUSED):
        return app.give_up_seat()
    entries = [Entry("no", texts("tui.stay"), "n"), Entry("yes", texts("tui.leave_yes"), "y")]
    dialog = Choices(texts("tui.leave_really"), entries)
    app.ask(dialog, lambda chosen: app.give_up_seat() if chosen == "yes" else None)
    return None
