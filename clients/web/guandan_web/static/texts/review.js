// Words of a look back at one's own play.

/** @type {import("../text.js").Texts} */
export const reviewTexts = {
  "review.title": ["Review of my play", "我的打法点评"],
  "review.asking": ["Going through hand {hand} of {hands}…", "正在看第 {hand} 局，共 {hands} 局…"],
  "review.busy": ["The server has other things to do. Hand {hand} of {hands} is next.", "服务器正忙，稍等：第 {hand} 局，共 {hands} 局。"],
  "review.cut": ["No connection. It goes on with hand {hand} of {hands} when it is back.", "连接断了，恢复后接着看第 {hand} 局，共 {hands} 局。"],
  "review.progress": ["Hands gone through", "看过的局数"],
  "review.so_far": ["Plays to talk about so far: {n}", "目前值得一提的：{n} 手"],
  "review.looked": ["Decisions looked at: {n}, in hands: {hands}.", "看了 {hands} 局里的 {n} 次选择。"],
  "review.nothing": ["Hands looked at: {hands}. There was nothing for you to choose in them.", "看了 {hands} 局，其中没有需要你选择的时候。"],
  "review.worse": ["Expert would surely have done better in {n} of them; the most costly comes first.", "其中 {n} 次高手的打法确实更好，代价大的在前。"],
  "review.worse_one": ["Expert would surely have done better in {n} of them.", "其中 {n} 次高手的打法确实更好。"],
  "review.none": ["In none of them does Expert surely do better: well played.", "没有一次高手确实打得更好：打得好！"],
  "review.failed": ["Not reviewed, because something went wrong on the server: hand {hands}.", "服务器出错，没能点评：第 {hands} 局。"],
  "review.missing": ["Not reviewed: hands {from} to {hands}.", "没有点评：第 {from} 到第 {hands} 局。"],
  "review.left_out": ["Decisions there was no time for: {n}.", "来不及看的选择：{n} 次。"],
  "review.where": ["Hand {hand}, with {n} cards left", "第 {hand} 局，剩 {n} 张"],
  "review.worth": ["Cost about {levels} levels, give or take {error}.", "约亏 {levels} 级，误差约 {error} 级。"],
  "review.table": ["On the table", "桌上"],
  "review.led": ["Nothing: you led.", "没有牌，你首出。"],
  "review.you": ["You", "你"],
  "review.total": ["All decisions together gave away about {levels} levels, give or take {error}.", "所有选择加起来约让出 {levels} 级，误差约 {error} 级。"],
  "review.note": [
    "Each decision is judged by what you could see then, not by how it ended. Levels are those of a hand, and coming first counts as one more. “Give or take” is one standard error. Of many choices that are just as good, one may still be called worse. What a bot played for you counts as yours.",
    "只按你当时看得见的来判断，不看结果。单位是一局的级数，头游另算一级；误差是一个标准误差。许多一样好的选择里，偶尔也会有一个被说成较差。机器人替你出的牌也算你的。",
  ],
  "review.no.busy": ["This server does not review matches.", "这个服务器不点评牌局。"],
  "review.no.forbidden": ["You did not play in this match, so there is nothing of yours to review.", "这一场你没有上场，没有可点评的。"],
  "review.no.not_seated": ["Only who has a seat at the table can ask for a review.", "坐在桌边的人才能要点评。"],
  "review.no.not_now": ["A match can only be reviewed until the next one begins.", "只能在下一场开始之前点评。"],
  "review.no.no_such_record": ["The server no longer has the record of this match, so it cannot be reviewed.", "服务器已经没有这一场的牌谱，无法点评。"],
};
