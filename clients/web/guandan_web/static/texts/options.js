// Every single option of the rules, and what its values mean.

/** @type {import("../text.js").Texts} */
export const options = {
  "opt.yes": ["Yes", "是"],
  "opt.no": ["No", "否"],

  "opt.group.a": ["Winning at A", "打 A 过关"],
  "opt.group.tribute": ["Tribute", "进贡还贡"],
  "opt.group.cards": ["Cards and plays", "牌型与出牌"],
  "opt.group.table": ["At the table", "牌桌"],

  "opt.first_lead": ["Who opens the match", "首局谁先出"],
  "opt.first_lead.why": ["Later hands are opened as tribute says.", "之后各局由进贡结果决定。"],
  "opt.first_lead.seat1": ["Seat 1", "1 号位"],
  "opt.first_lead.random": ["Drawn by lot", "抽签"],
  "opt.first_lead.drawn_card": ["Whoever holds a card turned up", "翻牌，持牌者先出"],

  "opt.advance_double": ["First and second place together", "双上升级"],
  "opt.advance_double.why": ["Levels won when both partners are out first.", "两人包揽头游二游时升几级。"],
  "opt.advance_double.3": ["3 levels", "升 3 级"],
  "opt.advance_double.4": ["4 levels", "升 4 级"],

  "opt.a_win_on": ["Hands that win the match", "在哪一局过 A 算赢"],
  "opt.a_win_on.why": ["For a team at A whose partner does not come last.", "队伍已到 A，且对家不是末游。"],
  "opt.a_win_on.rank": ["Any hand played at A", "凡打 A 的局"],
  "opt.a_win_on.own": ["Only the team's own A", "只限打自己的 A"],
  "opt.a_win_on.any": ["Any hand while at A", "到 A 后任何一局"],

  "opt.a_max_misses": ["Misses at A before falling back", "打 A 几次不过打回 2"],
  "opt.a_max_misses.why": ["Misses add up through the match; they need not follow each other.", "整场累计，不必连续。"],
  "opt.a_max_misses.none": ["Never falls back", "不打回"],
  "opt.a_max_misses.2": ["2 misses", "2 次"],
  "opt.a_max_misses.3": ["3 misses", "3 次"],

  "opt.a_miss_scope": ["What counts as a miss", "什么算一次不过"],
  "opt.a_miss_scope.why": ["A hand that does not win the match for a team at A.", "到 A 的队伍没有借这一局过关。"],
  "opt.a_miss_scope.own": ["Hands at the team's own A", "只算打自己的 A"],
  "opt.a_miss_scope.at_a": ["Every hand while at A", "到 A 后每一局都算"],

  "opt.full_house_joker_pair": ["Joker pair in a full house", "三带二可带对王"],
  "opt.full_house_joker_pair.why": ["May two equal jokers be the pair?", "一对相同的王可以作三带二的对子吗？"],

  "opt.wild_run_plain": ["One-suit run with a wild as a plain straight", "带配的同色顺可当普通顺子"],
  "opt.wild_run_plain.why": ["If not, it is a straight flush and nothing else.", "否则只能算同花顺。"],

  "opt.ambiguous_play": ["Cards that can be several things", "一手牌有多种牌型时"],
  "opt.ambiguous_play.why": ["When you have not said which one you mean.", "没有声明按哪种牌型时。"],
  "opt.ambiguous_play.auto": ["The strongest counts", "按最大的算"],
  "opt.ambiguous_play.declare": ["You have to choose", "必须声明"],

  "opt.tribute": ["Tribute", "进贡"],
  "opt.tribute.why": ["Losers of a hand give their best card to the winners.", "上一局的输家把最大的牌进贡给赢家。"],

  "opt.tribute_pick": ["Among equal highest cards", "最大牌有几张相同时"],
  "opt.tribute_pick.why": ["Which one is given.", "进贡哪一张。"],
  "opt.tribute_pick.auto": ["The first by suit", "按花色自动选"],
  "opt.tribute_pick.payer": ["The payer picks", "进贡者自己选"],

  "opt.double_tribute_tie": ["Two equal gifts", "双贡牌相同时"],
  "opt.double_tribute_tie.why": ["Whose card first place takes; that player leads.", "头游收谁的牌；被收者先出。"],
  "opt.double_tribute_tie.next": ["Of the next player after it", "头游的下家"],
  "opt.double_tribute_tie.prev": ["Of the player just before it", "头游的上家"],

  "opt.return_rule": ["Cards that may go back", "还牌范围"],
  "opt.return_rule.why": ["In return for tribute.", "收贡后还什么牌。"],
  "opt.return_rule.le10": ["Ten or lower", "10 以下（含 10）"],
  "opt.return_rule.le10_to_partner": ["Ten or lower to a partner, any to an opponent", "还对家限 10 以下，还对手不限"],
  "opt.return_rule.any": ["Any card", "任意牌"],

  "opt.return_level_card": ["Level cards may go back", "可还级牌"],
  "opt.return_level_card.why": ["Only those of ten or lower, and never a wild.", "只限 10 以下的级牌，逢人配除外。"],

  "opt.return_gift": ["The card received may go back", "可原牌退还"],
  "opt.return_gift.why": ["Otherwise it stays; a second copy of your own may go.", "否则不能退；自己另有一张相同的可以还。"],

  "opt.return_fallback": ["With nothing of ten or lower", "没有 10 以下的牌时"],
  "opt.return_fallback.why": ["What goes back then.", "这时还什么。"],
  "opt.return_fallback.lowest": ["The lowest card", "最小的牌"],
  "opt.return_fallback.any": ["Any card", "任意牌"],

  "opt.show_counts": ["Card counts of the others", "显示各家剩牌"],
  "opt.show_counts.why": ["Competitions announce them from ten down.", "比赛中剩 10 张以内才报牌。"],
  "opt.show_counts.always": ["Always", "始终显示"],
  "opt.show_counts.le10": ["From ten down", "10 张以内"],
};
