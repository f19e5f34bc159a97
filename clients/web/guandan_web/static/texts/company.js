// Who came to a table and who left it.

/** @type {import("../text.js").Texts} */
export const company = {
  "company.came": ["{name} has sat down.", "{name} 坐下了。"],
  "company.left": ["{name} has left the table.", "{name} 离开了牌桌。"],
  "company.left_to_bot": ["{name} has left; a bot plays on.", "{name} 离开了，由机器人接着打。"],
  "company.host": ["{name} is the host now.", "现在 {name} 是房主。"],
  "company.host_me": ["You are the host now: seats, rules and the start are yours to settle.", "你现在是房主，可以安排座位、修改规则、开局。"],
  "company.declined": ["{name} would rather not swap seats.", "{name} 不想换座位。"],
};
