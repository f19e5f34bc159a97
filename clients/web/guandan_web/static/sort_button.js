// The order of the hand: by rank, by suit, by what goes together, and back again.
import { note } from "./notice.js";
import { set, settings } from "./settings.js";
import { MODES } from "./sorting.js";
import { t } from "./text.js";

export function cycleSort() {
  const next = MODES[(MODES.indexOf(settings.value.sort) + 1) % MODES.length] ?? "rank";
  set({ sort: next });
  note(t("sort.now", { mode: t(`sort.${next}`) }), "hint");
}
