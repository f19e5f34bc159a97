// What lies over the page, and the controls that are found there only.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { Button, Icon } from "./kit.js";
import { t } from "./text.js";

/** @import { ComponentChildren } from "./vendor/ui.js" */

/**
 * A panel over the page: focus stays inside, Escape closes it. A tap beside it closes it and does
 * nothing else.
 * @param {{ title: string, onClose: () => void, class?: string, children?: ComponentChildren }} props
 */
export function Dialog({ title, onClose, class: extra = "", children }) {
  const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));
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
