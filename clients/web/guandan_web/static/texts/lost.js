// An address that leads nowhere.

/** @type {import("../text.js").Texts} */
export const lost = {
  "lost.title": ["There is nothing here", "这里什么也没有"],
  "lost.how": ["The address may have been cut short. A table's link ends with its code of six letters and digits.", "网址可能不完整。牌桌链接的末尾是六位房间号。"],
  "lost.rules": ["Rules", "规则"],
};
