// The presets by name, and what each of them comes to.

/** @type {import("../text.js").Texts} */
export const presets = {
  "preset.tournament": ["Must win · tournament", "必打 A · 竞赛规则"],
  "preset.house": ["Three misses → back to 2", "三次不过 → 打回 2"],
  "preset.national-2017": ["National rules 2017", "2017 国家竞赛规则"],
  "preset.huaian": ["Huai'an", "淮安"],
  "preset.nanjing": ["Nanjing", "南京"],
  "preset.site": ["Relaxed", "休闲"],
  "preset.changed_1": ["{name} · 1 change", "{name} · 改 1 项"],
  "preset.changed": ["{name} · {n} changes", "{name} · 改 {n} 项"],
  "preset.tournament.why": [
    "The match has to be won at your own A, however many tries it takes. A pair of equal jokers may complete a full house.",
    "必须在打自己的 A 时过关才算赢，次数不限。一对相同的王可以作三带二的对子。",
  ],
  "preset.house.why": [
    "As the tournament, but a team that misses three times at its own A falls back to 2.",
    "与竞赛规则相同，但打自己的 A 三次不过，打回 2。",
  ],
  "preset.national-2017.why": [
    "The competition rules of 2017: three misses at A, a turned-up card decides who opens, hands are counted out from ten cards down.",
    "2017 年竞赛规则：打 A 三次不过回 2，翻牌定首出，剩 10 张以内才报牌。",
  ],
  "preset.huaian.why": [
    "As the national rules, but any card at all may be given back for tribute.",
    "与国家竞赛规则相近，但还牌不限大小，任何牌都可以还。",
  ],
  "preset.nanjing.why": ["As the national rules, but two misses at A are enough to fall back to 2.", "与国家竞赛规则相同，但打 A 两次不过就打回 2。"],
  "preset.site.why": [
    "Play at A as often as you like. When both teams are at A, either team's A will do for winning.",
    "打 A 次数不限；双方都到 A 时，打谁的 A 都可以过关。",
  ],
};
