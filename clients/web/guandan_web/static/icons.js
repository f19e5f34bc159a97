// Pictures that a table does not begin with: added to those of `kit.js` by whoever draws one.
import { ICONS } from "./kit.js";

Object.assign(ICONS, {
  pause: "M8 5v14M16 5v14",
  first: "M18 5l-9 7 9 7M6 5v14",
  last: "M6 5l9 7-9 7M18 5v14",
  rewind: "M12 5l-7 7 7 7M19 5l-7 7 7 7",
  fast: "M5 5l7 7-7 7M12 5l7 7-7 7",
  share: "M12 15V4M8 8l4-4 4 4M5 12v7h14v-7",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
  shield: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5",
  chart: "M4 20V4M4 20h16M8 15l4-5 3 3 5-7",
  exit: "M14 4h5v16h-5M4 12h10M10 8l4 4-4 4",
  swap: "M4 9h14l-4-4M20 15H6l4 4",
  home: "M4 11l8-7 8 7M6 9.5V20h12V9.5",
  check: "M5 12l5 5L20 7",
});
