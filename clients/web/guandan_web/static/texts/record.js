// The record of a session, and the chart of a match.

/** @type {import("../text.js").Texts} */
export const record = {
  "record.none": ["No hand has been finished yet.", "还没有打完一局。"],
  "record.match": ["Match {n}", "第 {n} 场"],
  "record.table": ["Hand by hand", "逐局记录"],
  "record.hand": ["Hand", "局"],
  "record.level": ["Level", "级"],
  "record.finish": ["Places", "名次"],
  "record.gain": ["Levels won", "升级"],
  "record.after": ["Levels after", "局后级数"],
  "record.gain.of": ["{team} +{n}", "{team} +{n}"],
  "record.won": ["Match won", "赢下整场"],
  "record.tribute": ["Tribute: {gifts}", "进贡：{gifts}"],
  "record.back": ["Back: {gifts}", "还贡：{gifts}"],
  "record.gift": ["{from} → {to} {card}", "{from} → {to} {card}"],
  "record.resisted": ["Tribute resisted by {names}", "{names} 抗贡"],
  "record.team.13": ["Seats 1+3", "1、3 号位"],
  "record.team.24": ["Seats 2+4", "2、4 号位"],
  "record.levels": ["{a} : {b}", "{a} : {b}"],
  "chart.label": ["Levels after each of {n} hands. {a} at {levelA}, {b} at {levelB}.", "共 {n} 局的级数变化。{a} 打到 {levelA}，{b} 打到 {levelB}。"],
  "chart.title": ["How the match went", "比赛走势"],
};
