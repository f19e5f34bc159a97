// How others get to this table: its code, a link, a picture of the link.
import { html, useEffect, useState } from "./vendor/ui.js";
import { Copy } from "./dialog.js";
import { Button, Icon } from "./kit.js";
import { t } from "./text.js";
import "./icons.js";

/** The link for others. The server knows the address at which others reach it, which may not be the
 * one this browser used (localhost), and writes it into its picture's title.
 * @param {string} code */
export function useRoomLink(code) {
  const own = `${location.origin}/r/${code}`;
  const [link, setLink] = useState({ url: own, hasPicture: true });
  useEffect(() => {
    let isGone = false;
    setLink({ url: own, hasPicture: true });
    const look = async () => {
      const answer = await fetch(`/qr/${code}.svg`);
      if (!answer.ok) throw new Error(String(answer.status));
      const title = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").querySelector("title")?.textContent ?? "";
      if (!isGone && title.endsWith(`/r/${code}`)) setLink({ url: title, hasPicture: true });
    };
    look().catch(() => !isGone && setLink({ url: own, hasPicture: false }));
    return () => {
      isGone = true;
    };
  }, [code]);
  return link;
}

/** @param {{ code: string }} props */
export function Invite({ code }) {
  const { url, hasPicture } = useRoomLink(code);
  const canShare = "share" in navigator;
  const share = () => navigator.share({ title: t("app.title"), text: t("lobby.share.text", { code }), url }).catch(() => {});
  return html`<section class="invite panel" aria-labelledby="invite-title">
    <div class="invite-words">
      <h2 id="invite-title">${t("lobby.invite")}</h2>
      <p class="big-code"><span class="offscreen">${t("lobby.code")} </span><span translate="no">${code}</span></p>
      <p class="link-text soft" translate="no">${url.replace(/^https?:\/\//, "")}</p>
      <div class="row"><${Copy} text=${url} />${canShare && html`<${Button} kind="quiet" onClick=${share}><${Icon} name="share" />${t("share")}<//>`}</div>
      <p class="soft how">${t("lobby.invite.how")}</p>
    </div>
    ${hasPicture && html`<img class="qr" src=${`/qr/${code}.svg`} width="148" height="148" alt=${t("lobby.qr", { code })} />`}
  </section>`;
}
