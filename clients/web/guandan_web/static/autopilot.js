// Autopilot: somebody else plays for us.
import { computed } from "./vendor/ui.js";
import { order } from "./moves.js";
import { infoOf } from "./people.js";
import { mySeat } from "./table.js";

export const autopilot = computed(() => {
  const info = mySeat.value === null ? undefined : infoOf(mySeat.value);
  return info && info.kind === "person" && info.control !== "self" ? info : null;
});

/** @param {boolean} on @param {number} [pace] */
export const setAutopilot = (on, pace = 1000) => order({ t: "autopilot", on, pace_ms: pace });

export const toggleAutopilot = () => setAutopilot(!autopilot.value, autopilot.value?.pace_ms || 1000);
