// What the rules page says around its long texts.

/** @type {import("../text.js").Texts} */
export const rulesPage = {
  "rules.title": ["Rules", "规则"],
  "rules.contents": ["On this page", "本页内容"],
  "rules.preset": ["The rules of a table", "某一桌的规则"],
  "rules.preset.how": [
    "The text below is about “{basic}”. Choose the rules of your table: what they change is marked on this page.",
    "下文按“{basic}”写成。选择你那一桌的规则，不同之处会在本页标出。",
  ],
  "rules.same": ["Exactly as the text below says.", "与下文完全相同。"],
  "rules.changes": ["What is different", "不同之处"],
  "rules.here": ["In “{preset}”", "在“{preset}”中"],
  "rules.all": ["All options of this preset", "此规则的全部选项"],
  "rules.nothing": ["No combination", "不成牌型"],
  "rules.beats": ["beats", "压得过"],
  "rules.beats_not": ["does not beat", "压不过"],
  "rules.at_level": ["level {level}", "打 {level}"],
  "rules.places": ["Places {places}, level {level}", "名次 {places}，打 {level}"],
  "rules.leads": ["Seat {n} leads", "{n} 号位先出"],
  "rules.gift": ["{from} → {to}", "{from} → {to}"],
  "rules.no_gift": ["no tribute", "不进贡"],
  "rules.seat_holds": ["Seat {n}", "{n} 号位"],
  "rules.think": ["What would you do?", "你会怎么打？"],
  "rules.bomb.n": ["{n} of a rank", "{n} 张炸"],
  "rules.bomb.straight_flush": ["straight flush", "同花顺"],
  "rules.bomb.joker_bomb": ["four jokers", "四大天王"],
  "rules.play": ["Play", "去打一局"],
};
