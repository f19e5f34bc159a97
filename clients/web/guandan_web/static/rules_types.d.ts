// What the rules page is made of, for the checker only.

/** In a text **so** is strong and {S9 H9} is drawn as cards. */
export type Rich = string;
export type Example = { cards: string; level?: string; is?: string; text: Rich };
export type Versus = { table: string; cards: string; level?: string; beats: boolean; text: Rich };
export type Tribute = {
  finish: number[]; level: string; hands: Record<number, string>; gifts: string[]; leader: number; text: Rich;
};
export type Worked = { title: string; level: string; cards: string; question: Rich; answer: Rich };
export type Block =
  | Rich
  | { ladder: string[]; level: string }
  | { examples: Example[] }
  | { versus: Versus[] }
  | { chain: string[] }
  | { steps: Rich[] }
  | { list: Rich[] }
  | { table: { head: string[]; rows: string[][] } }
  | { tributes: Tribute[] }
  | { worked: Worked[] }
  | { option: string };
export type Section = { id: string; title: string; blocks: Block[] };
export type RulesText = {
  title: string; intro: Rich; sections: Section[];
  glossary: { title: string; head: string[]; rows: string[][] };
};
