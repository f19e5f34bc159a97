// Styles of screens that few open: fetched when the first of them is drawn.

/** Put a style sheet of ours on the page, once. @param {string} name For instance "style/rules.css". */
export function addSheet(name) {
  const href = new URL(name, import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return;
  if ([...document.querySelectorAll("link")].some((link) => link.href === href)) return;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  document.head.append(link);
}

/** The same, and a promise for when it is there, or never will be. @param {string} name @returns {Promise<void>} */
export function sheetReady(name) {
  addSheet(name);
  const href = new URL(name, import.meta.url).href;
  const link = [...document.querySelectorAll("link")].find((one) => one.href === href);
  if (!link || [...document.styleSheets].some((sheet) => sheet.href === href)) return Promise.resolve();
  return new Promise((resolve) => {
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => resolve());
  });
}
