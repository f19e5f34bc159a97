// Why a page has no table any more.

/** @type {import("../text.js").Texts} */
export const endedTexts = {
  retry: ["Try again", "重试"],
  "end.replaced": ["This seat is open in another window.", "这个座位已在另一个窗口打开。"],
  "end.replaced.take": ["Play here", "在这里玩"],
  "end.left": ["The host has sent you away from this table.", "房主已请你离开这张桌子。"],
  "end.bad_token": ["This seat is no longer yours.", "这个座位已不再属于你。"],
  "end.room_gone": ["This table is gone.", "这张桌子已经不在了。"],
  "end.no_such_room": ["There is no table with this code.", "没有这个房间号的牌桌。"],
  "end.bad_version": ["The page is older than the server. Reload it.", "页面版本过旧，请刷新。"],
  "end.other": ["The server closed this table to you.", "服务器关闭了这张牌桌的连接。"],
  "end.watch": ["Look on", "旁观"],
};
