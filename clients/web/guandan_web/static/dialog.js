// What lies over the page, and the controls that are found there only.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { Button, Icon } from "./kit.js";
import { t } from "./text.js";

/** @import { ComponentChildren } from "./vendor/ui.js" */

/** The dialogs that are open, the one on top last. @type {(() => void)[]} */
const closers = [];
/** Is the browser going back over our entry of its history? */
let isGoingBack = false;
const isOnEntry = () => !!history.state?.dialog;

// The browser's back button closes a dialog, and leaves the page under it where it is: while one is
// open, the history has an entry more.
addEventListener("popstate", () => {
  if (isGoingBack) isGoingBack = false;
  else if (!isOnEntry()) closers.at(-1)?.();
  setTimeout(keepEntry);
});

/** As many entries of our own as needed: one, or none. */
function keepEntry() {
  if (isGoingBack) return;
  if (closers.length && !isOnEntry()) history.pushState({ dialog: true }, "");
  else if (!closers.length && isOnEntry()) {
    isGoingBack = true;
    history.back();
  }
}

/**
 * A panel over the page: focus stays inside, Escape closes it, and so does the browser's way back. A tap beside it closes it and does
 * nothing else.
 * @param {{ title: string, onClose: () => void, class?: string, children?: ComponentChildren }} props
 */
export function Dialog({ title, onClose, class: extra = "", children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const last = useRef(onClose);
  last.current = onClose;
  useEffect(() => {
    const closer = () => last.current();
    closers.push(closer);
    keepEntry();
    return () => {
      closers.splice(closers.indexOf(closer), 1);
      // Another dialog may take its place at once.
      setTimeout(keepEntry);
    };
  }, []);
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    return () => {
      dialog?.close();
      // A dialog that is taken off the page gives the focus back to nobody by itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, []);
  return html`<dialog ref=${ref} class=${`dialog ${extra}`} aria-label=${title}
    onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); onClose(); }}
    onClick=${(/** @type {Event} */ event) => event.target === ref.current && onClose()}>
    <div class="dialog-body">
      <header><h2>${title}</h2><${Button} kind="quiet" class="icon" label=${t("close")} onClick=${onClose}><${Icon} name="close" /><//></header>
      ${children}
    </div>
  </dialog>`;
}

/** @param {{ label: ComponentChildren, on: boolean, onChange: (on: boolean) => void, disabled?: boolean }} props */
export function Toggle({ label, on, onChange, disabled = false }) {
  return html`<label class="toggle"><input type="checkbox" role="switch" checked=${on} disabled=${disabled}
    onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)} /><span>${label}</span></label>`;
}

/** Copies a text, also where a page over plain http has no clipboard. @param {{ text: string, children?: ComponentChildren }} props */
export function Copy({ text, children }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      area.setAttribute("readonly", "");
      area.className = "offscreen";
      (document.querySelector("dialog[open]") ?? document.body).append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    setDone(true);
  };
  return html`<${Button} onClick=${copy}>${done ? t("copied") : (children ?? t("copy"))}<//>`;
}
