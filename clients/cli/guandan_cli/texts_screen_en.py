"""English, on the full screen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SCREEN_EN: Final[Mapping[str, str]] = {
    "rule.first_lead": "Who opens the match",
    "rule.advance_double": "First and second place together",
    "rule.a_win_on": "Hands that win the match",
    "rule.a_max_misses": "Misses at A before falling back",
    "rule.a_miss_scope": "What counts as a miss",
    "rule.full_house_joker_pair": "Joker pair in a full house",
    "rule.wild_run_plain": "One-suit run with a wild as a plain straight",
    "rule.ambiguous_play": "Cards that can be several things",
    "rule.tribute": "Tribute",
    "rule.tribute_pick": "Among equal highest cards",
    "rule.double_tribute_tie": "Two equal gifts",
    "rule.return_rule": "Cards that may go back",
    "rule.return_level_card": "Level cards may go back",
    "rule.return_gift": "The card received may go back",
    "rule.return_fallback": "With nothing of ten or lower",
    "rule.show_counts": "Card counts of the others",
    "value.first_lead.seat1": "Seat 1",
    "value.first_lead.random": "Drawn by lot",
    "value.first_lead.drawn_card": "Whoever holds a card turned up",
    "value.advance_double.3": "3 levels",
    "value.advance_double.4": "4 levels",
    "value.a_win_on.rank": "Any hand played at A",
    "value.a_win_on.own": "Only the team's own A",
    "value.a_win_on.any": "Any hand while at A",
    "value.a_max_misses.none": "Never falls back",
    "value.a_max_misses.2": "2 misses",
    "value.a_max_misses.3": "3 misses",
    "value.a_miss_scope.own": "Hands at the team's own A",
    "value.a_miss_scope.at_a": "Every hand while at A",
    "value.ambiguous_play.auto": "The strongest counts",
    "value.ambiguous_play.declare": "You have to choose",
    "value.tribute_pick.auto": "The first by suit",
    "value.tribute_pick.payer": "The payer picks",
    "value.double_tribute_tie.next": "Of the next player after it",
    "value.double_tribute_tie.prev": "Of the player just before it",
    "value.return_rule.le10": "Ten or lower",
    "value.return_rule.le10_to_partner": "Ten or lower to a partner, any to an opponent",
    "value.return_rule.any": "Any card",
    "value.return_fallback.lowest": "The lowest card",
    "value.return_fallback.any": "Any card",
    "value.show_counts.always": "Always",
    "value.show_counts.le10": "From ten down",
    "sort.rank": "rank",
    "sort.suit": "suit",
    "sort.combo": "combos",
    "preset.tournament": "Must win · tournament",
    "preset.house": "Three misses → back to 2",
    "preset.national-2017": "National rules 2017",
    "preset.huaian": "Huai'an",
    "preset.nanjing": "Nanjing",
    "preset.site": "Relaxed",
    "rules.preset": "rules",
    "setting.clock_s": "time for a move",
    "setting.pace_ms": "what bots take over a move",
    "setting.grace_s": "until a bot plays for a lost player",
    "setting.hints": "hints are allowed",
    "setting.counter": "the card counter is allowed",
    "setting.phrases": "phrases are allowed",
    "tui.level": "playing {level}",
    "tui.next_level": "next at {level}",
    "tui.tallies": "still out: big {big}, small {small}, wild {wilds}, level {levels}",
    "tui.tallies_middle": "out big {big} small {small} wild {wilds} level {levels}",
    "tui.tallies_short": "out Y{big} X{small} W{wilds} {level}*{levels}",
    "tui.latency": "{ms}ms",
    "tui.offline": "no link",
    "tui.few": "only {n} left!",
    "tui.lead_mark": "leads:",
    "tui.paused": "The table is paused.",
    "tui.clock": "{s} s",
    "tui.your_lead": "YOUR LEAD",
    "tui.your_turn": "YOUR TURN",
    "tui.your_choice": "YOUR CHOICE",
    "tui.leads": "{who} leads",
    "tui.turn_of": "turn: {who}",
    "tui.by": "by {who}",
    "tui.tribute": "Tribute",
    "tui.return": "Return",
    "tui.owes": "from {donor} to {recipient}",
    "tui.resisted": "Tribute resisted",
    "tui.resisted_by": "both big jokers: {who}",
    "tui.given": "{donor} to {recipient}:",
    "tui.returned": "{donor} back to {recipient}:",
    "tui.hint_best": "suggestion:",
    "tui.title": "Guandan",
    "tui.window": "Guandan {room}",
    "tui.window_turn": "* Your turn, Guandan {room}",
    "tui.bot_plays": "A bot plays for you.",
    "tui.hint_number": "hint {i} of {n}:",
    "tui.taken": "{n} taken",
    "tui.nothing": "no combination",
    "tui.readings_how": "Tab: the other",
    "tui.wild_as": "wild as",
    "tui.you_are_out": "You are out: {place}. Your partner plays on.",
    "tui.prepare": "Not your turn; you can choose cards already.",
    "tui.pay": "Tribute: the suggested card is taken; another key takes another.",
    "tui.give_back": "Return a card: the suggested one is taken; another key takes another.",
    "tui.lead": "You lead: take cards by their keys; h shows hints.",
    "tui.follow": "Take cards by their keys, or pass with p; h shows hints.",
    "tui.only_pass": "Nothing of yours beats that: pass with p.",
    "tui.passes_itself": "Nothing of yours beats that; passing by itself.",
    "tui.no_flush": "You hold no straight flush.",
    "tui.no_other_suits": "You hold these ranks in no other suits that matter.",
    "tui.not_kept": "That could not be kept for the next time: {why}",
    "tui.take_first": "Take cards first",
    "tui.do_play": "Play: {play}",
    "tui.do_pay": "Give {card}",
    "tui.do_give_back": "Return {card}",
    "tui.play": "Play",
    "tui.pass": "Pass",
    "tui.hint": "Hint",
    "tui.suggest": "Suggest",
    "tui.clear": "Clear",
    "tui.suits": "Suits",
    "tui.sort": "Sort: {sort}",
    "tui.counter": "Counter",
    "tui.autopilot": "Auto",
    "tui.no_autopilot": "Manual",
    "tui.last": "Last",
    "tui.last_title": "Last trick",
    "tui.phrases": "Phrases",
    "tui.menu": "Menu",
    "tui.help": "Help",
    "tui.agree": "Agree",
    "tui.refuse": "Refuse",
    "tui.start": "Start",
    "tui.ready": "Ready",
    "tui.not_ready": "Not ready",
    "tui.seats_how": "Seats",
    "tui.rules_settings": "Rules and settings",
    "tui.invite": "Invite",
    "tui.next_hand": "Next hand",
    "tui.play_on": "Play on",
    "tui.later": "Play later",
    "tui.not_later": "Play on now",
    "tui.record": "Record",
    "tui.review": "Review my play",
    "tui.rematch": "Rematch",
    "tui.new_game": "New game",
    "tui.lost": "Connection lost; trying again in {s} s. Enter: now",
    "tui.proposed": "Proposed: {what}. + agrees, - refuses",
    "tui.on_autopilot": "Autopilot, {s} s a move. o: play myself",
    "tui.stands_in": "A bot stands in for you. o: play myself",
    "tui.hand_over": "Hand {hand} is over",
    "tui.gain_2": "1st + 2nd: {team} +{gain}",
    "tui.gain_3": "1st + 3rd: {team} +{gain}",
    "tui.gain_4": "1st + last: {team} +{gain}",
    "tui.match_won": "Match won: {team}",
    "tui.down": "down",
    "tui.not_won_last": "{team} came in first at A, but the partner was last: "
    "that does not win the match.",
    "tui.not_won_own": "{team} is at A, but this hand was not played at its own A: "
    "that does not win the match.",
    "tui.tribute_single": "Tribute: {donors} to {first}, unless resisted",
    "tui.tribute_double": "Double tribute: {donors} to the winners, unless resisted",
    "tui.waiting": "Waiting for {who}",
    "tui.swap_how": "press {seat} to agree",
    "tui.counter_title": "Still out (not played, not yours)",
    "tui.no_last": "No trick has been finished yet.",
    "tui.pace": "{s} s a move",
    "tui.autopilot_how": "Autopilot: a bot plays for you",
    "tui.sit": "Sit here",
    "tui.swap": "Ask to swap seats",
    "tui.swap_agree": "Swap seats",
    "tui.swap_decline": "Stay where you are",
    "tui.kick": "Send away",
    "tui.bot": "Bot: {level}",
    "tui.no_bot": "Take the bot away",
    "tui.rules_how": "arrows change, Enter sets, Esc closes",
    "tui.close_how": "Esc closes",
    "tui.more_how": "up and down: more",
    "tui.on": "on",
    "tui.off": "off",
    "tui.bot_pace": "Pace of the bots",
    "tui.mute": "Whose phrases are shown",
    "tui.mute_seat": "Phrases of {who}: {state}",
    "tui.bell": "Bell on my turn: {state}",
    "tui.dim": "Dim what cannot be played: {state}",
    "tui.auto_pass": "Pass by itself when nothing beats: {state}",
    "tui.colours": "Colours of the suits: {n}",
    "tui.leave": "Give up my seat",
    "tui.leave_really": "Give up your seat? A bot plays on for you.",
    "tui.leave_yes": "Give it up",
    "tui.stay": "Stay",
    "tui.quit": "Quit, keep my seat (Ctrl+Q)",
    "tui.quit_watch": "Quit (Ctrl+Q)",
    "tui.dealt_in": "dealt in {s} s",
    "tui.step": "Hand {hand} of {hands}, step {step} of {steps}",
    "tui.step_on": "step",
    "tui.trick_on": "trick",
    "tui.hand_on": "hand",
    "tui.playing": "pause",
    "tui.paused_replay": "play",
    "tui.eyes": "eye",
    "tui.all_open": "all",
    "tui.help_replay": """\
Left Right        a step
Up Down           a trick
PageUp PageDown   a hand
Home End          first and last step
Space             play, pause
+ -               faster, slower
1-4               see with the eyes of a seat
0                 all hands open
c                 card counter
r                 record of the hands
Ctrl+Q            quit""",
    "tui.help_text": """\
2-9  0 t=10  j q k a    take a card of that rank, cheapest first; \
once more than there are puts all back
x    y z    w           small joker, big joker, wild
Enter                   play what the button names
p                       pass
Tab  Shift+Tab          another reading of the cards
h  H                    next hint, the one before; the line says why
g                       what is recommended, and why
u                       other suits; with no card taken, straight flushes
Esc                     put all cards back
s  f                    sort: by rank, suit, combos; two or four colours
c  l                    card counter, last trick
o                       autopilot, at one of seven paces
/                       say a phrase
d  r  n  v              after a hand: play later, record, new game, review
1-4  r  i               before the match: seats, rules, invite
m                       menu: auto-pass, bell, language, leave ...
Ctrl+Q                  quit; the seat stays yours

Mouse: a click takes that card; on a heading, one card more. \
Buttons and seats can be clicked, too.""",
    "tui.help_watch": """\
c        card counter
r        record of the hands played
1-4      see the table from another side
f        two or four colours
m        menu
Ctrl+Q   quit""",
}
