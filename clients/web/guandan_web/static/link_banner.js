// What stands over the table while the connection is lost.
import { html, useEffect, useState } from "./vendor/ui.js";
import { Button } from "./kit.js";
import { hurry, link } from "./table.js";
import { t } from "./text.js";

export function LinkBanner() {
  const { state, retryAt } = link.value;
  const [now, setNow] = useState(performance.now());
  const isLost = state === "lost";
  useEffect(() => {
    if (!isLost) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, [isLost]);
  if (!isLost) return null;
  const s = Math.ceil((retryAt - now) / 1000);
  // Said once; the seconds are for the eyes.
  return html`<section class="banner lost"><p class="offscreen" role="alert">${t("link.lost")}</p>
    <p aria-hidden="true">${s > 0 ? t("link.lost_in", { s }) : t("link.lost")}</p>
    <${Button} onClick=${hurry}>${t("link.now")}<//></section>`;
}
