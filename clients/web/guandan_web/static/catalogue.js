// What the server's sources list. Written by `python -m tools.web_catalogue --write`; a test keeps
// it up to date, so do not edit it here.

/** Of the protocol. @type {number} */
export const VERSION = 1;

/** Asked for in the handshake. @type {string} */
export const SUBPROTOCOL = "guandan.v1";

/** The values of each rule option, the default first. @type {Readonly<Record<string, readonly (string | number | boolean | null)[]>>} */
export const OPTIONS = {
  "first_lead": ["seat1", "random", "drawn_card"],
  "advance_double": [3, 4],
  "a_win_on": ["rank", "own", "any"],
  "a_max_misses": [null, 2, 3],
  "a_miss_scope": ["own", "at_a"],
  "full_house_joker_pair": [false, true],
  "wild_run_plain": [true, false],
  "ambiguous_play": ["auto", "declare"],
  "tribute": [true, false],
  "tribute_pick": ["auto", "payer"],
  "double_tribute_tie": ["next", "prev"],
  "return_rule": ["le10", "le10_to_partner", "any"],
  "return_level_card": [false, true],
  "return_gift": [false, true],
  "return_fallback": ["lowest", "any"],
  "show_counts": ["always", "le10"],
};

/** Every option's value in each preset. @type {Readonly<Record<string, Readonly<Record<string, string | number | boolean | null>>>>} */
export const PRESETS = {
  "site": {"first_lead": "seat1", "advance_double": 3, "a_win_on": "rank", "a_max_misses": null, "a_miss_scope": "own", "full_house_joker_pair": false, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "next", "return_rule": "le10", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "always"},
  "tournament": {"first_lead": "seat1", "advance_double": 3, "a_win_on": "own", "a_max_misses": null, "a_miss_scope": "own", "full_house_joker_pair": true, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "next", "return_rule": "le10", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "always"},
  "house": {"first_lead": "seat1", "advance_double": 3, "a_win_on": "own", "a_max_misses": 3, "a_miss_scope": "own", "full_house_joker_pair": true, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "next", "return_rule": "le10", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "always"},
  "national-2017": {"first_lead": "drawn_card", "advance_double": 3, "a_win_on": "own", "a_max_misses": 3, "a_miss_scope": "own", "full_house_joker_pair": true, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "prev", "return_rule": "le10", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "le10"},
  "huaian": {"first_lead": "drawn_card", "advance_double": 3, "a_win_on": "own", "a_max_misses": 3, "a_miss_scope": "own", "full_house_joker_pair": true, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "next", "return_rule": "any", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "le10"},
  "nanjing": {"first_lead": "drawn_card", "advance_double": 3, "a_win_on": "own", "a_max_misses": 2, "a_miss_scope": "own", "full_house_joker_pair": true, "wild_run_plain": true, "ambiguous_play": "auto", "tribute": true, "tribute_pick": "auto", "double_tribute_tie": "prev", "return_rule": "le10", "return_level_card": false, "return_gift": false, "return_fallback": "lowest", "show_counts": "le10"},
};

/** How a table is run unless somebody says otherwise. @type {Readonly<import("./types.js").Settings>} */
export const SETTINGS = {
  "visibility": "private",
  "clock_s": null,
  "pace_ms": 1000,
  "grace_s": 60,
  "hints": true,
  "counter": true,
  "phrases": true,
};

/** What bots may take over a move, in ms. @type {readonly number[]} */
export const PACES = [300, 500, 1000, 2000, 3000, 4000, 5000];

/** What can be said. @type {readonly string[]} */
export const PHRASES = [
  "hello",
  "good_luck",
  "well_played",
  "nice",
  "thanks",
  "sorry",
  "hurry",
  "thinking",
  "my_lead",
  "your_lead",
  "good_game",
  "again",
];

/** What a room is doing. @type {readonly string[]} */
export const STAGES = ["lobby", "playing", "paused", "match_over"];

/** What a match waits for. @type {readonly string[]} */
export const PHASES = ["waiting", "paying", "returning", "leading", "following", "hand_over", "match_over"];

/** Who has a seat. @type {readonly string[]} */
export const SEAT_KINDS = ["empty", "person", "bot"];

/** Who decides for a seat. @type {readonly string[]} */
export const CONTROLS = ["self", "autopilot", "stand_in"];

/** Who finds a room. @type {readonly string[]} */
export const VISIBILITIES = ["private", "public"];

/** What needs everybody's consent. @type {readonly string[]} */
export const PROPOSALS = ["new_game", "rematch"];

/** The types of play. @type {readonly string[]} */
export const COMBOS = [
  "single",
  "pair",
  "triple",
  "full_house",
  "straight",
  "tube",
  "plate",
  "bomb",
  "straight_flush",
  "joker_bomb",
];

/** What happens at a table, by `t`. @type {readonly string[]} */
export const EVENTS = [
  "dealt",
  "opener_drawn",
  "tribute_resisted",
  "chosen",
  "tribute_paid",
  "cards_returned",
  "timed_out",
  "played",
  "passed",
  "went_out",
  "trick_closed",
  "hand_ended",
];

/** What the server says, by `t`. @type {readonly string[]} */
export const SERVER_MESSAGES = [
  "welcome",
  "in_lobby",
  "update",
  "done",
  "refused",
  "previewed",
  "hints",
  "review",
  "said",
  "rooms",
  "record_page",
  "pong",
  "moved",
  "goodbye",
];

/** What a client can say, by `t`. @type {readonly string[]} */
export const CLIENT_MESSAGES = [
  "create",
  "join",
  "resume",
  "watch",
  "lobby",
  "play",
  "pass",
  "pay",
  "give_back",
  "ready",
  "start",
  "sit",
  "add_bot",
  "remove_bot",
  "configure",
  "autopilot",
  "set_pace",
  "later",
  "propose",
  "consent",
  "leave",
  "kick",
  "decline",
  "preview",
  "ask_hints",
  "ask_review",
  "say",
  "list_rooms",
  "fetch_record",
  "ping",
];

/** Why the server says no, or goodbye. @type {readonly string[]} */
export const CODES = [
  "bad_message",
  "bad_version",
  "bad_option",
  "no_such_room",
  "room_gone",
  "full",
  "seat_taken",
  "bad_token",
  "forbidden",
  "not_now",
  "not_seated",
  "stale_action",
  "action_conflict",
  "no_such_record",
  "hints_off",
  "too_fast",
  "busy",
  "storage_unavailable",
  "internal",
  "going_away",
  "replaced",
  "left",
  "slow",
];

/** Why a move is refused. @type {readonly string[]} */
export const REASONS = [
  "not_your_turn",
  "leader_must_play",
  "not_a_combination",
  "not_a_reading",
  "does_not_beat",
  "ambiguous",
  "cards_not_held",
  "not_eligible",
  "wrong_phase",
  "hand_over",
  "stale",
];

/** Why something is suggested. @type {readonly string[]} */
export const HINT_REASONS = [
  "goes_out",
  "only_play",
  "runs_out",
  "leads_lowest",
  "leads_longest",
  "leads_strong",
  "leads_high",
  "partner_nearly_out",
  "opponent_nearly_out",
  "cheapest_that_beats",
  "keeps_groups",
  "least_harm",
  "takes_lead",
  "only_bombs_beat",
  "worth_bomb",
  "bomb",
  "uses_wild",
  "breaks_pair",
  "breaks_triple",
  "breaks_run",
  "breaks_bomb",
  "nothing_beats",
  "partner_winning",
  "saves_bombs",
  "saves_control",
  "saves_groups",
  "forced_gift",
  "saves_flush",
  "equal_gift",
  "useless_return",
  "gives_control",
  "helps_partner",
];

/** What a connection is closed with. @type {Readonly<Record<string, number>>} */
export const CLOSES = {
  "GOING_AWAY": 1012,
  "MOVED": 4307,
  "BAD_MESSAGE": 4400,
  "BAD_TOKEN": 4401,
  "REFUSED": 4403,
  "ROOM_GONE": 4404,
  "SLOW": 4408,
  "REPLACED": 4409,
  "BAD_VERSION": 4410,
  "LEFT": 4411,
};

/** What room codes are made of. @type {string} */
export const CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/** The most of something that the server takes. @type {Readonly<{ NAME_CHARS: number, CODE_CHARS: number, HAND_CARDS: number, NONCE_BYTES: number, CREATE_ID_BYTES: number, FRAME_BYTES: number, PHRASES_AT_ONCE: number, PHRASE_EVERY_S: number }>} */
export const LIMITS = {
  "NAME_CHARS": 24,
  "CODE_CHARS": 6,
  "HAND_CARDS": 28,
  "NONCE_BYTES": 32,
  "CREATE_ID_BYTES": 16,
  "FRAME_BYTES": 4096,
  "PHRASES_AT_ONCE": 3,
  "PHRASE_EVERY_S": 4,
};
