// The messages of `guandan.v1` as the page sees them (docs/protocol.md), for the checker only.

export type Card = string;
export type Seat = 1 | 2 | 3 | 4;
export type Team = "13" | "24";
export type Reading = [type: string, key: string | null, size: number];
export type Offer = { cards: Card[]; reading: Reading; shown_as: Card[] };
export type Gift = { donor: Seat; recipient: Seat; card: Card };
export type PerTeam<T> = { "13": T; "24": T };
export type Standing = { levels: PerTeam<string>; active: string; owner: Team | null; misses: PerTeam<number> };
export type Outcome = {
  finish: Seat[]; winner: Team; gain: number; missed: Team[]; fallen: Team[]; match_won: boolean; after: Standing;
};

export type Settings = {
  visibility: "private" | "public"; clock_s: number | null; pace_ms: number; grace_s: number;
  hints: boolean; counter: boolean; phrases: boolean;
};
export type SeatInfo = {
  kind: "empty" | "person" | "bot"; name: string; level: string; online: boolean; ready: boolean;
  control: "self" | "autopilot" | "stand_in"; later: boolean; pace_ms: number;
};
export type OptionValue = string | number | boolean | null;
export type RoomView = {
  stage: "lobby" | "playing" | "paused" | "match_over"; host: Seat | null; seats: SeatInfo[]; watchers: number;
  match: number; preset: string; options: Record<string, OptionValue>; settings: Settings; commitment: Uint8Array;
  clock_ms: number | null; deal_ms: number | null; proposal: "new_game" | "rematch" | null; consents: Seat[]; swaps: [Seat, Seat][];
};
export type Phase = "waiting" | "paying" | "returning" | "leading" | "following" | "hand_over" | "match_over";
export type Public = {
  phase: Phase; turn: number; asked: Seat[]; hand: number; level: string; owner: Team | null;
  levels: PerTeam<string>; misses: PerTeam<number>; counts: (number | null)[]; out: Seat[]; top: Reading | null;
  by: Seat | null; leader: Seat | null; shown: (null | "pass" | Offer)[]; played: Card[][]; drawn: [Card, Seat][]; owing: [Seat, Seat][];
  resisted: Seat[]; gifts: Gift[]; returns: Gift[]; outcome: Outcome | null; left: Card[][] | null;
};
export type Private = { hand: Card[]; pay: Card[]; give_back: Card[]; chosen: Card | null };
export type HandSummary = {
  number: number; level: string; owner: Team | null; finish: Seat[]; gain: number; levels: PerTeam<string>;
  resisted: Seat[]; gifts: Gift[]; returns: Gift[]; match_won: boolean;
};

export type TableEvent =
  | { t: "dealt"; number: number; level: string; owner: Team | null; commitment: Uint8Array; own: Card[] | null }
  | { t: "opener_drawn"; drawn: [Card, Seat][] }
  | { t: "tribute_resisted"; holders: Seat[] }
  | { t: "chosen"; seat: Seat; card: Card | null }
  | { t: "tribute_paid"; gifts: Gift[] }
  | { t: "cards_returned"; returns: Gift[] }
  | { t: "timed_out"; seat: Seat }
  | { t: "played"; seat: Seat; cards: Card[]; reading: Reading }
  | { t: "passed"; seat: Seat }
  | { t: "went_out"; seat: Seat; place: number }
  | { t: "trick_closed"; winner: Seat; leader: Seat }
  | { t: "hand_ended"; outcome: Outcome; left: Card[][]; seed: Uint8Array; nonces: Uint8Array[] };

export type Welcome = {
  t: "welcome"; room: string; seat: Seat | null; token: Uint8Array; counter: number; seq: number; epoch: number;
  view: RoomView; public: Public; private: Private | null; record: HandSummary[]; levels: string[]; build: string;
};
export type Update = {
  t: "update"; seq: number; epoch: number; events: TableEvent[]; view: RoomView; public: Public;
  private: Private | null; finished: HandSummary | null; seat: Seat | null;
};
export type Done = { t: "done"; n: number; seq: number };
export type Refused = { t: "refused"; ref: number; code: string; text: string; retry_ms: number | null };
export type ReadingInfo = { reading: Reading; beats: boolean; shown_as: Card[] };
export type Previewed = { t: "previewed"; id: number; readings: ReadingInfo[]; code: string };
export type Hint = { cards: Card[]; reading: Reading | null; reason: string };
export type Hints = { t: "hints"; id: number; turn: number; hints: Hint[]; best: number; helpful: Card[] };
export type Reviewed = {
  command: number; left: number; top: Reading | null; played: Hint; best: Hint; lost_milli: number; won_milli: number;
  error_milli: number; sure: boolean; worlds: number;
};
export type Review = {
  t: "review"; id: number; match: number; seat: Seat; hand: number; hands: number; decisions: Reviewed[]; left_out: number;
};
export type RoomLine = {
  room: string; stage: RoomView["stage"]; preset: string; people: number; bots: number; watchers: number; names: string[];
};
export type Rooms = { t: "rooms"; id: number; rooms: RoomLine[] };
export type RecordPage = { t: "record_page"; id: number; match: number; page: number; pages: number; text: string };
export type Said = { t: "said"; seat: Seat; phrase: string; id: number };
export type InLobby = { t: "in_lobby"; version: number; levels: string[]; build: string };
export type Moved = { t: "moved"; url: string };
export type Goodbye = { t: "goodbye"; code: string; retry_after_ms: number | null };
export type ServerMessage =
  | Welcome | Update | Done | Refused | Previewed | Hints | Review | Rooms | RecordPage | Said | InLobby | Moved | Goodbye;

/** What a connection begins with; `version` and `t` are added by the link. */
export type Hello = { t: "create" | "join" | "resume" | "watch" | "lobby"; [field: string]: unknown };
/** An action without its counter, for instance `{ t: "play", cards, turn }`. */
export type Action = { t: string; [field: string]: unknown };
/** The answer to an action. */
export type Answer = { ok: true; seq: number } | { ok: false; code: string; text: string; retry_ms: number | null };

/** A card of the own hand: two copies of a face are two cards here, numbered by the page. */
export type HeldCard = { id: string; face: Card };
