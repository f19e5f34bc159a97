// The rules page in English. Its twin is rules_zh.js: the same sections, blocks and cards.
//
// In texts **so** is strong and {S9 H9} is drawn as cards. `is` names what the cards can be, the
// strongest first, as records write it; tests ask the engine whether that is so.

/** @type {import("../rules_types.js").RulesText} */
export const rules = {
  title: "How Guandan is played",
  intro:
    "Four people, two against two. Be rid of your cards first and have your partner follow. Every hand won lifts your team, from level 2 up to A; a hand won at A wins the match. One evening is enough to learn it, and the bots are patient.",
  sections: [
    {
      id: "cards", title: "Cards, seats and levels",
      blocks: [
        "Two packs are used: 108 cards, each face twice, with two small jokers {X} and two big ones {Y}. All are dealt, 27 to everybody. Your **partner** sits opposite; the players on both sides are the other team.",
        "Each team has a **level**, and both begin at 2. A hand is played at **one** level for everybody: that of the team which won the hand before. The cards of that rank are the hand's **level cards**; the two of them that are hearts are **wild**.",
        "Single cards rank so: big joker, small joker, level card, then A K Q J 10 9 8 7 6 5 4 3 2. At level 7, for example:",
        { ladder: ["Y", "X", "S7", "SA", "SK", "SQ", "SJ", "ST", "S9", "S8", "S6", "S5", "S4", "S3", "S2"], level: "7" },
        "Suits never make a card stronger, and equal never beats.",
      ],
    },
    {
      id: "combinations", title: "What can be played",
      blocks: [
        "These shapes, and nothing else, not even as a lead. All examples are at level 2.",
        {
          examples: [
            { cards: "S9", is: "single-9", text: "Any card." },
            { cards: "SJ DJ", is: "pair-J", text: "Two of a rank. Two small or two big jokers are a pair; one of each is not." },
            { cards: "S8 H8 C8", is: "triple-8", text: "Three of a rank, never jokers. A triple goes alone or in a full house: it takes no single card along." },
            { cards: "SQ HQ DQ C5 D5", is: "full_house-Q", text: "A triple and a pair of another rank. The triple is compared." },
            { cards: "C6 D7 S8 C9 HT", is: "straight-T", text: "Exactly five ranks in a row, not all of one suit. The top card is compared." },
            { cards: "S4 C4 H5 D5 S6 D6", is: "tube-6", text: "Tube: exactly three pairs in a row." },
            { cards: "ST HT DT SJ CJ DJ", is: "plate-J", text: "Plate: exactly two triples in a row." },
          ],
        },
        "And three kinds of **bomb**, which beat everything that is not one:",
        {
          examples: [
            { cards: "SK HK CK DK", is: "bomb-4-K", text: "Bomb: four to ten of a rank. More cards beat fewer; then the rank decides." },
            { cards: "S5 S6 S7 S8 S9", is: "straight_flush-9", text: "Straight flush: five in a row of one suit. Without a wild it can be nothing less." },
            { cards: "X X Y Y", is: "joker_bomb", text: "All four jokers: nothing beats them." },
          ],
        },
        "**Runs** (straight, straight flush, tube, plate) use every rank in its natural place, level cards too. The ace stands at either end, never in the middle.",
        {
          examples: [
            { cards: "SA C2 D3 S4 C5", is: "straight-5", text: "The lowest straight: it counts as 5 high." },
            { cards: "CT DJ SQ CK SA", is: "straight-A", text: "The highest." },
            { cards: "SQ CK DA S2 C3", is: "", text: "No run goes round the corner." },
            { cards: "S5 D6 C7 S8 D9", level: "7", is: "straight-9", text: "At level 7 the 7 still stands between 6 and 8." },
          ],
        },
        { option: "full_house_joker_pair" },
      ],
    },
    {
      id: "wilds", title: "Wild cards",
      blocks: [
        "The two hearts of the level stand for any card but a joker, of any suit. They may also be what they are. A bomb or a straight flush with wilds is worth as much as one without.",
        "Wilds alone are level cards and nothing else: one is a single, two are a pair of the level's rank.",
        "Some cards can be read in several ways. You choose; if you say nothing, the strongest reading that beats the table counts.",
        {
          examples: [
            { cards: "SK CK SQ DQ H2", is: "full_house-K full_house-Q", text: "The wild completes either triple." },
            { cards: "S9 C9 D9 H2 H2", is: "bomb-5-9 full_house-9", text: "A bomb of five; or the two wilds as the pair." },
            { cards: "S5 S6 S7 S9 H2", is: "straight_flush-9 straight-9", text: "The wild as an 8: of spades, or of another suit." },
            { cards: "S2 S3 S4 S5 H6", level: "6", is: "straight_flush-6 straight_flush-5 straight-6 straight-5", text: "The wild as a 6, or as a low ace." },
            { cards: "ST DJ CQ SK HA", level: "A", is: "straight-A straight-K", text: "The wild as itself, or as a 9." },
            { cards: "H4 H4 C8 D8 S9 C9", level: "4", is: "tube-T plate-9 tube-9", text: "Six cards, three shapes." },
            { cards: "H7 H7", level: "7", is: "pair-7", text: "Two wilds are a pair of sevens only." },
            { cards: "H2 H2 X X", is: "", text: "A wild is never a joker." },
          ],
        },
        "The same cards leave your hand either way. A weaker reading can be kind: it lets your partner play over it.",
        { option: "wild_run_plain" },
        { option: "ambiguous_play" },
      ],
    },
    {
      id: "beats", title: "What beats what",
      blocks: [
        "Answer with the **same kind and the same number of cards**, but higher; or with a bomb.",
        {
          versus: [
            { table: "S9 H9", cards: "CT DT", beats: true, text: "Ten over nine." },
            { table: "S9 H9", cards: "C9 D9", beats: false, text: "Equal never beats." },
            { table: "SA HA", cards: "S7 C7", level: "7", beats: true, text: "At level 7 a pair of 7s is above the aces." },
            { table: "C3 D4 S5 C6 D7", cards: "C4 D5 S6 C7 S8", level: "7", beats: true, text: "But in a straight the 7 is only a 7: the one to 8 is higher." },
            { table: "S4 C4 H5 D5 S6 D6", cards: "ST HT DT SJ CJ DJ", beats: false, text: "A plate does not answer a tube, though both have six cards." },
            { table: "SQ HQ DQ CA DA", cards: "SK HK DK C3 D3", beats: true, text: "Full houses compare the triple; the pair does not matter." },
          ],
        },
        "Bombs beat each other in this order:",
        { chain: ["bomb-4", "bomb-5", "straight_flush", "bomb-6", "bomb-7", "bomb-8", "bomb-9", "bomb-10", "joker_bomb"] },
        {
          versus: [
            { table: "S5 H5 C5 D5 D5", cards: "C3 C4 C5 C6 C7", beats: true, text: "A straight flush beats any bomb of five." },
            { table: "CT CJ CQ CK CA", cards: "S3 S3 H3 C3 D3 D3", beats: true, text: "Six of anything beat every straight flush." },
          ],
        },
      ],
    },
    {
      id: "play", title: "A trick, and the way out",
      blocks: [
        {
          steps: [
            "The leader plays any combination, and may not pass.",
            "In turn the others beat it or pass. You may pass although you could play, and you may come in again later in the same trick.",
            "When everybody else with cards has passed since the last play, its player leads the next trick.",
            "Your last cards are a play like any other: all the others may still answer them.",
            "If nobody beats the play with which somebody went out, that player's **partner** leads. This is jiefeng, taking the wind, and it holds for everyone who goes out.",
            "The hand is over at once when two partners are out, or when three players are. Nobody answers that last play.",
          ],
        },
        { option: "first_lead" },
        { option: "show_counts" },
        "Where a table plays with a clock and it runs out, the table does the least for you: it passes, leads your lowest single card, pays what has to be paid, or returns the lowest card allowed.",
      ],
    },
    {
      id: "levels", title: "What a hand is worth",
      blocks: [
        "The team of whoever is out first wins the hand and rises by the place of the partner. The other team keeps its level. Nothing is won beyond A; bombs and cards left in hand count for nothing.",
        { table: { head: ["First and …", "levels won"], rows: [["second", "3"], ["third", "2"], ["last", "1"]] } },
        { option: "advance_double" },
        "The next hand is played at the winners' new level.",
      ],
    },
    {
      id: "tribute", title: "Tribute",
      blocks: [
        "From the second hand on, when the new cards have been dealt, the losers pay. All of it is about the **new** cards, at the **new** level.",
        {
          list: [
            "**Who pays:** last place gives a card to first, even to their own partner. If the first two are partners, third and last both pay: the higher card goes to first place, the lower to second.",
            "**What:** the highest card, wilds left out of account. Jokers and plain level cards are given.",
            "**Return:** whoever got a card gives one back to the same player: any card of ten or lower that is no level card and not the very card received. If there is none, the lowest of the others.",
            "**Resistance:** if the payer holds both big jokers, or the two payers hold them between them, nothing is paid. First place leads.",
            "**Who leads:** the player whose card went to first place.",
          ],
        },
        {
          tributes: [
            { finish: [1, 2, 3, 4], level: "4", hands: { 4: "SA DK" }, gifts: ["4 1 SA"], leader: 4, text: "Last gives its best card to first, and leads." },
            { finish: [1, 2, 4, 3], level: "4", hands: { 3: "SK" }, gifts: ["3 1 SK"], leader: 3, text: "Last place is first's own partner: it pays all the same." },
            { finish: [1, 3, 2, 4], level: "5", hands: { 2: "SQ", 4: "SK" }, gifts: ["4 1 SK", "2 3 SQ"], leader: 4, text: "Both opponents pay. The higher card goes to first place." },
            { finish: [1, 3, 2, 4], level: "5", hands: { 2: "SA", 4: "DA" }, gifts: ["2 1 SA", "4 3 DA"], leader: 2, text: "Equal cards: first place takes that of the payer who comes first after it." },
            { finish: [1, 2, 3, 4], level: "7", hands: { 4: "H7 S7 SA" }, gifts: ["4 1 S7"], leader: 4, text: "The wild is exempt; a plain level card outranks the ace." },
            { finish: [1, 2, 3, 4], level: "4", hands: { 4: "Y Y" }, gifts: [], leader: 1, text: "Both big jokers: resistance. First place leads." },
            { finish: [1, 3, 2, 4], level: "5", hands: { 2: "Y", 4: "Y" }, gifts: [], leader: 1, text: "One big joker each: the two payers resist together." },
            { finish: [1, 2, 3, 4], level: "4", hands: { 4: "Y", 2: "Y" }, gifts: ["4 1 Y"], leader: 4, text: "No resistance: only seat 4 pays, and the other joker is elsewhere." },
          ],
        },
        {
          examples: [
            { cards: "ST D9 SQ", level: "T", text: "First place at level 10 may return the 9, not the level card." },
            { cards: "SJ DQ CK SA", level: "J", text: "Nothing of ten or lower: the queen goes back, since at level J the jack is above the ace." },
          ],
        },
        { option: "tribute" },
        { option: "tribute_pick" },
        { option: "double_tribute_tie" },
        { option: "return_rule" },
        { option: "return_level_card" },
        { option: "return_gift" },
        { option: "return_fallback" },
      ],
    },
    {
      id: "ace", title: "Playing at A",
      blocks: [
        "A team wins the match with a hand that it wins **while it is at A**, its partner not being last. Rising to A never wins by itself: the level before the hand counts.",
        { option: "a_win_on" },
        "A hand played at a team's own A that does not win the match is a **miss** of that team: it lost the hand, or its partner was last. Misses add up through the match and are always shown.",
        { option: "a_miss_scope" },
        { option: "a_max_misses" },
        "Where misses are limited, a team that has used them up falls back to 2, even if it won the hand with its partner last, and counts from the beginning again.",
        {
          table: {
            head: ["Both at A, we play our own A, and come in …", "in “Must win · tournament”"],
            rows: [
              ["first and second", "match won"],
              ["first and third", "match won"],
              ["first and last", "hand won, but a miss: we play A again"],
              ["second and third", "a miss; the others play their own A next"],
            ],
          },
        },
      ],
    },
    {
      id: "tips", title: "Playing better",
      blocks: [
        {
          list: [
            "**Count plays, not cards.** Sort your hand into as few combinations as you can. Whoever needs eleven plays is behind whoever needs eight, whatever the cards.",
            "**Long runs early.** Straights, tubes and plates are hard to answer while everybody still has many small cards; late in the hand they only wait for a bomb.",
            "**Keep a way back in.** For each low group that you lead, have a strong card of that kind, or a bomb, that brings the lead back.",
            "**Let your partner's play stand** unless you can go out, or an opponent behind you would win it cheaply.",
            "**A bomb is for a purpose:** to stop someone who is nearly out, or to get the lead when you can use it. A bomb to win a trick that leads nowhere is wasted.",
            "**Watch the counts.** With one card left an opponent answers only singles; with two, singles and pairs. Lead what they cannot follow.",
            "**The wild belongs in a bomb or a straight flush,** or closes the gap that saves you a play. As a single it is only a level card.",
            "**The partner makes the difference.** When you are out first the hand goes on: a partner who comes second instead of last is worth two levels more. At A it is enough if the partner is not last.",
            "**Behind? Serve your partner.** If their hand is better than yours, lead what they have been playing, and spend your bombs for them.",
          ],
        },
      ],
    },
    {
      id: "hands", title: "Hands worth thinking about",
      blocks: [
        {
          worked: [
            { title: "One suit or four nines?", level: "2", cards: "S5 S6 S7 S8 S9 H9 C9 D9", question: "There is a straight flush in it, and a bomb of four nines, but not both.", answer: "Take the straight flush. {S5 S6 S7 S8 S9} beats every bomb of five, and {H9 C9 D9} stays as a triple: two plays. Four nines would leave four loose spades: five plays, and the weaker bomb." },
            { title: "Where does the wild go?", level: "8", cards: "ST SJ SQ SK CK DK H8", question: "With the wild {H8} you can make four kings, or a straight flush.", answer: "Make the straight flush up to the ace, {ST SJ SQ SK H8}, and keep {CK DK} as a pair: two plays. Four kings would leave {ST}, {SJ} and {SQ} loose: four plays." },
            { title: "Your partner's kings", level: "5", cards: "SA CA D3 C6 S6 S9", question: "Your partner has played {SK HK}, the player between you has passed. You could beat it with {SA CA}.", answer: "Pass. The aces would beat nobody but your partner. If the last opponent passes, too, your partner leads again, and you still have the aces for a pair of theirs." },
            { title: "One card left", level: "3", cards: "S4 C4 D7 SQ HQ", question: "You lead. The opponent who plays next has a single card left.", answer: "Lead {S4 C4}. A player with one card cannot answer a pair. If the other opponent does, {SQ HQ} takes the lead back; the {D7} goes last, and with it you are out. Led first, it would invite them to go out over it." },
            { title: "Strong first", level: "6", cards: "Y S4 C4", question: "You have the lead and two plays left.", answer: "Play {Y} first. Only a bomb can beat it, and when all have passed you lead {S4 C4} and are out. The other way round the pair is beaten, and the joker has to wait for a trick of singles." },
            { title: "What to give back", level: "6", cards: "SA S3 D7 C7 H9 S9", question: "You came first and got {SA} from an opponent who was last. What goes back?", answer: "The {S3}. It belongs to nothing, while a 7 or a 9 would break a pair. To your own partner you would rather return a card that may fit one of their runs: a middle one." },
          ],
        },
      ],
    },
    {
      id: "confusions", title: "Often confused",
      blocks: [
        {
          list: [
            "The level card is high as a single, in pairs, triples, full houses and bombs, but **in a run it stands in its natural place**.",
            "{X Y} is **no pair**. Two of the same joker are.",
            "The **straight flush stands between five and six**: above every bomb of five, below every bomb of six.",
            "A straight has five cards, a tube three pairs, a plate two triples. **Longer ones do not exist.**",
            "Three and one is not a play, nor is four and two. Five of a rank are a bomb, **not a full house**.",
            "Whoever has passed **may come in again** in the same trick.",
            "**Arriving at A wins nothing.** The match is won by a hand that is won while one is at A already.",
            "Your **own partner pays tribute** to you, if you were first and they were last.",
            "**Small jokers do not resist.** Both big ones are needed, in the hands of those who pay.",
            "Jiefeng is **not only for the first** to go out, and not if somebody beats the last play.",
            "The turn goes on by seat numbers 1, 2, 3, 4. Which way round a screen shows that is of no importance.",
          ],
        },
      ],
    },
    {
      id: "regions", title: "From place to place",
      blocks: [
        "Guandan comes from Huai'an in Jiangsu, and every town has its way of playing it. These are the differences one meets most; each is a preset or an option here.",
        {
          list: [
            "**Huai'an:** whoever gets tribute may return any card at all. (The printed text there is finer: ten or lower to the own partner, any card to an opponent. That is an option, too.)",
            "**Nanjing:** returns are ten or lower, and a team has two attempts at its A before it falls back to 2.",
            "**Three misses and back to 2** is common, but far from everywhere: many tables play at A for as long as it takes.",
            "**National rules of 2017:** three misses, a turned-up card decides who opens, and card counts are announced from ten down. The preset differs from the print in one point: of two equal gifts, first place takes that of the payer just before it. In print it is the next one after it, as in the preset Huai'an.",
            "**First and second together** win three levels nearly everywhere; some tables give four.",
          ],
        },
        "Met elsewhere, but not played here: falling back to K, J or the opponents' level; counting only misses in a row; winning the match by rising past A; resisting with any two jokers; equal gifts by lot; levels other than A that must be played; hidden returns; play for time or for penalties in levels.",
      ],
    },
  ],
  glossary: {
    title: "Words",
    head: ["English", "中文", "Meaning"],
    rows: [
      ["Guandan", "掼蛋 guàn dàn", "The game; “throwing eggs”, that is, bombs."],
      ["level, level card", "级、级牌", "The rank a hand is played at, and the cards of it."],
      ["wild", "逢人配、红心配", "A heart of the level: any card but a joker."],
      ["big and small joker", "大王、小王", "The two highest single cards."],
      ["full house", "三带二", "Three and two."],
      ["straight", "顺子", "Five ranks in a row."],
      ["tube", "三连对、木板", "Three pairs in a row."],
      ["plate", "钢板", "Two triples in a row."],
      ["bomb", "炸弹", "Four to ten of a rank."],
      ["straight flush", "同花顺", "Five in a row of one suit."],
      ["four jokers", "四大天王、天王炸", "The highest bomb."],
      ["lead", "领出、首出", "To begin a trick."],
      ["pass", "不出、过", "To let a play stand."],
      ["first, second, third, last", "头游、二游、三游、末游", "The order of going out."],
      ["both up, both down", "双上、双下", "First and second in one team; the others are both down."],
      ["tribute, return", "进贡、还贡", "The losers' card, and what comes back for it."],
      ["resistance", "抗贡", "Two big jokers cancel the tribute."],
      ["jiefeng", "接风", "The partner of whoever went out takes the lead."],
      ["to pass A", "过 A", "To win the match at A."],
      ["announcing", "报牌", "Telling how few cards are left."],
      ["card counter", "记牌器", "What has been played, added up."],
      ["autopilot", "托管", "A bot plays your seat for a while."],
    ],
  },
};
