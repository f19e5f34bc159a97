// A match again, card by card: from the server by its number, or from a file.
import { html, useEffect, useMemo, useRef, useState } from "./vendor/ui.js";
import { Icon, LangButton } from "./kit.js";
import { RecordError, parseRecord } from "./record.js";
import { framesOf } from "./frames.js";
import { goAway, momentIn } from "./moment.js";
import { ReplayView } from "./replay_view.js";
import { cameFrom, follow } from "./route.js";
import { addSheet } from "./sheet.js";
import { addTexts, hasText, t, whyText } from "./text.js";
import { home } from "./texts/home.js";
import { options } from "./texts/options.js";
import { presets } from "./texts/presets.js";
import { record as recordTexts } from "./texts/record.js";
import { refusals } from "./texts/refusals.js";
import { replay } from "./texts/replay.js";
import { inLobby } from "./wire.js";

/** @import { RecordPage, Refused } from "./types.js" */
/** @import { Frame } from "./frames.js" */
/** @import { MatchRecord } from "./record.js" */

addTexts({ ...presets, ...refusals, ...options, ...home, ...recordTexts, ...replay });

/** @typedef {{ record: MatchRecord, frames: Frame[], text: string, name: string, n: number }} Opened  `n`: the how many-th it is. */

let count = 0;

/** @param {string} text @param {string} name @returns {Opened} */
function opened(text, name) {
  const record = parseRecord(text);
  const frames = framesOf(record);
  if (!frames.length) throw new RecordError("empty", 0);
  return { record, frames, text, name, n: ++count };
}

/** The record of a match, page by page, put together. @param {string} room @param {number} match @returns {Promise<string>} */
async function fetched(room, match) {
  const answer = await inLobby(async (link) => {
    const texts = [];
    for (let page = 0, pages = 1; page < pages; page++) {
      /** @type {RecordPage | Refused | null} */
      const one = await link.ask({ t: "fetch_record", room, match, page });
      if (one?.t !== "record_page") return one;
      pages = one.pages;
      texts.push(one.text);
    }
    return texts.join("");
  });
  if (typeof answer === "string") return answer;
  throw new RecordError(answer?.code ?? "lost", 0);
}

/** @param {unknown} error */
function problemText(error) {
  if (!(error instanceof RecordError)) return String(error);
  return hasText(`replay.error.${error.code}`) ? t(`replay.error.${error.code}`, { line: error.line }) : whyText(error.code);
}

/** Where the reader came from is one step back. @param {MouseEvent} event */
function goBack(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  history.back();
}

/** @param {{ rest: string }} props */
export function Replay({ rest }) {
  const [now, setNow] = useState(/** @type {Opened | null} */ (null));
  const [problem, setProblem] = useState(/** @type {unknown} */ (null));
  const [isOver, setOver] = useState(false);
  const [code = "", number = ""] = rest.split("-");
  useEffect(() => {
    addSheet("style/replay.css");
    addSheet("style/record.css");
    document.title = t("replay.title");
  }, []);
  const wanted = useRef(/** @type {Promise<string> | null} */ (null));

  /** Show a record when its text is there, unless another one was asked for meanwhile.
   * @param {Promise<string>} text @param {string} name */
  const show = async (text, name) => {
    wanted.current = text;
    setProblem(null);
    try {
      const record = opened(await text, name);
      if (wanted.current === text) setNow(record);
    } catch (error) {
      if (wanted.current === text) setProblem(error);
    }
  };
  useEffect(() => {
    setNow(null);
    setProblem(null);
    if (code) show(fetched(code.toUpperCase(), Number(number) || 1), rest.toUpperCase());
    return () => void (wanted.current = null);
  }, [rest]);

  /** @param {File | undefined} file */
  const openFile = (file) => file && show(file.text(), file.name);
  const isFile = !!now && now.name !== rest.toUpperCase();
  // Who came from the table, or from the review there, is led back to it.
  const moment = useMemo(() => momentIn(rest.toUpperCase()), [rest]);
  const table = useMemo(() => /^\/(?:r|watch)\/\w+$/.exec(cameFrom())?.[0] ?? "", [rest]);
  useEffect(() => {
    if (moment) goAway();
  }, [moment]);
  const back = moment ? t("replay.to_review") : table ? t("replay.to_table") : t("home");
  return html`<main class=${isOver ? "replay over" : "replay"}
    onDragOver=${(/** @type {DragEvent} */ event) => { event.preventDefault(); setOver(true); }}
    onDragLeave=${(/** @type {DragEvent} */ event) => event.currentTarget === event.target && setOver(false)}
    onDrop=${(/** @type {DragEvent} */ event) => { event.preventDefault(); setOver(false); openFile(event.dataTransfer?.files[0]); }}>
    <header class=${moment ? "replay-head is-led" : "replay-head"}><a class=${`button quiet ${moment ? "" : "icon"}`} href=${table || "/"} aria-label=${moment ? undefined : back} title=${back} onClick=${table ? goBack : follow}><${Icon} name="back" />${moment && back}</a>
      <h1>${t("replay.title")} <small class="soft">${isFile ? now.name : code && t("replay.of", { code: code.toUpperCase(), n: Number(number) || 1 })}</small></h1>
      <span class="grow"></span><${LangButton} /></header>
    ${problem !== null && html`<p class="problem" role="alert">${problemText(problem)}</p>`}
    ${now ? html`<${ReplayView} key=${now.n} opened=${now} moment=${isFile ? null : moment} path=${isFile ? "" : `/replay/${now.name}`} />`
      : code && problem === null ? html`<p class="notice" role="status">${t("replay.loading")}</p>` : null}
    ${(!code || problem !== null || isFile) && html`<section class="open-file panel"><h2>${t(now ? "replay.another" : "replay.open")}</h2><p class="soft">${t("replay.open.how")}</p>
      <label class="button plain">${t("replay.choose")}<input type="file" class="offscreen" accept=".txt,.record,text/plain"
        onChange=${(/** @type {any} */ event) => openFile(event.currentTarget.files[0])} /></label></section>`}
    ${isOver && html`<p class="drop-mark" aria-hidden="true">${t("replay.drop")}</p>`}
  </main>`;
}
