// SPDX-License-Identifier: MIT OR Apache-2.0
// The page: what a reader does, and what the page shows.
import "./page.css";
import examples from "virtual:examples";
import notices from "virtual:notices";
import { Cancelled, Captures, Outdated } from "./captures.ts";
import { by, make, say } from "./dom.ts";
import type { Filter, Progress, Row, Rows } from "./messages.ts";
import { showSums } from "./sums.ts";
import { showTabs } from "./tabs.ts";
import { unpack } from "./unpack.ts";

/** The rows that the table shows at first, and that each click adds. */
const PAGE = 100;
/** The milliseconds after which a slow piece of work shows its progress. */
const PATIENCE = 250;
/** The milliseconds without a key after which a filter counts as typed. */
const TYPED = 80;
/** The most bad checksums that are held. Each takes 48 bytes. */
const ROOM = 4_000_000;

/** What the page reads of the JSON of `verify --json`. */
interface Counted {
  files: { path: string; causes: Record<string, Record<string, number>>; checksums: Statuses }[];
}
type Statuses = Record<string, Record<string, number>>;

/** The worker that holds the bad checksums, and so may be ended only with the verdict. */
const verifier = new Captures();
/** The worker that reads captures again for a filter. */
const searcher = new Captures();
/** The worker for what a reader asks about a capture. */
const reader = new Captures();

let files: File[] = [];
/** The names of the files as a reader sees them. */
let names: string[] = [];
let isVerifying = false;
/** The files that could be read, as the JSON lists them. */
let read: { file: number; name: string }[] = [];
let html = "";
let json = "";

/** Shows what went wrong. */
function fail(what: string): void {
  const failed = by("failed");
  failed.textContent = what;
  failed.hidden = false;
  failed.scrollIntoView({ block: "nearest" });
}

/** How many pieces of work are not done. */
let working = 0;

/** Does work that the reader waits for: shows its progress, and what went wrong. */
async function work<T>(doing: string, does: () => Promise<T>): Promise<T | undefined> {
  by("failed").hidden = true;
  by("doing").textContent = doing;
  by<HTMLProgressElement>("progress").removeAttribute("value");
  working += 1;
  const slow = setTimeout(() => {
    by("working").hidden = false;
    if (document.activeElement !== document.body) {
      document.activeElement?.scrollIntoView({ block: "nearest" });
    }
  }, PATIENCE);
  document.body.setAttribute("aria-busy", "true");
  try {
    return await does();
  } catch (error) {
    if (error instanceof Cancelled) {
      say("Cancelled.");
    } else if (!(error instanceof Outdated)) {
      say("");
      fail(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  } finally {
    clearTimeout(slow);
    working -= 1;
    if (working === 0) {
      const hadFocus = by("working").contains(document.activeElement);
      by("working").hidden = true;
      document.body.removeAttribute("aria-busy");
      if (hadFocus) {
        (document.getElementById("of")?.checkVisibility() ? by("of") : by("chosen")).focus();
      }
    }
  }
}

function showProgress({ name, part, all }: Progress): void {
  by<HTMLProgressElement>("progress").value = all;
  by("doing").textContent = `Reading ${name}: ${Math.floor(100 * part)} %`;
}

/** Ends the work about the captures, except for what holds their verdict. */
function endReading(why: Error): void {
  searcher.cancelWhatWaits(why);
  reader.cancelWhatWaits(why);
}

/** Verifies captures, and shows the verdict. */
async function verify(chosen: File[]): Promise<void> {
  if (chosen.length === 0) {
    return;
  }
  endReading(new Outdated());
  verifier.cancelWhatWaits(new Outdated());
  by("result").hidden = true;
  hideSample();
  files = chosen;
  isVerifying = true;
  const verdict = await work("Reading", () => verifier.ask("verify", [chosen, ROOM], showProgress));
  if (files !== chosen) {
    return; // the reader has chosen others
  }
  isVerifying = false;
  if (!verdict) {
    files = [];
    return;
  }
  ({ html, json, names } = verdict);
  showVerdict();
  await showRows();
  by("result").hidden = false;
  say(document.querySelector("#verdict .headline")?.textContent ?? "");
  by("of").focus({ preventScroll: true });
  by("verdict").scrollIntoView({ block: "start" });
}

/** The question that each example answers. */
const QUESTIONS: Record<string, string> = {
  "office.pcapng": "Why does Wireshark say every checksum of my server is bad?",
  "corrupted.pcap": "What does real damage on a link look like?",
  "tunnels-offload.pcap": "Which checksums within a tunnel are bad?",
  "fragments.pcap": "Who judges a datagram that came in fragments?",
  "snapped.pcap": "What if only the beginning of each packet was captured?",
};

function example(name: string): File {
  return new File([unpack(examples[name] ?? "")], name);
}

/** Shows the verdict on the first example, until the reader has one of their own. */
async function showSample(): Promise<void> {
  const [name = ""] = Object.keys(examples);
  const verdict = await verifier.ask("verify", [[example(name)], ROOM]).catch(() => undefined);
  const sample = document.getElementById("sample");
  if (!verdict || !sample || files.length > 0 || isVerifying) {
    return;
  }
  const page = new DOMParser().parseFromString(verdict.html, "text/html");
  const title = make("h2", { id: "sample-of", textContent: "What an answer looks like" });
  const about = make("p", {
    className: "quiet",
    textContent: `${name}, recorded on the server of an office`,
  });
  const open = make("button", { type: "button", textContent: "See each of its bad checksums" });
  open.addEventListener("click", () => void verify([example(name)]));
  const table = page.querySelector("#why + *");
  table?.removeAttribute("aria-labelledby");
  table?.setAttribute("aria-label", "Why checksums of the example are bad");
  const parts = [page.querySelector(".headline"), table].filter((node) => !!node);
  sample.replaceChildren(title, about, ...parts, open);
  sample.hidden = false;
}

function hideSample(): void {
  const sample = by("sample");
  sample.replaceChildren();
  sample.hidden = true;
}

/** Puts the page of `verify --html` into this page, and makes its tables filters. */
function showVerdict(): void {
  const page = new DOMParser().parseFromString(html, "text/html");
  const verdict = make("h2", { id: "of", tabIndex: -1 });
  verdict.append(...(page.querySelector("h1")?.childNodes ?? []));
  const parts = [".headline", "main > section:has(> #errors)", "main > section:has(> #why)"];
  const found = parts.map((part) => page.querySelector(part)).filter((node) => !!node);
  by("verdict").replaceChildren(verdict, ...found);
  const words = make("section", { className: "words" });
  words.append(...(page.querySelector("footer")?.childNodes ?? []));
  by("report").replaceChildren(...page.querySelectorAll("main > section"), words);

  const counted: Counted = JSON.parse(json);
  let next = 0;
  read = counted.files.map(({ path }) => {
    const file = files.findIndex(({ name }, at) => at >= next && name === path);
    next = file + 1;
    return { file, name: names[file] ?? path };
  });
  const wrong = wrongOf(counted);
  options(
    "filter-file",
    "all",
    names.map((name, at): Option => [String(at), name]),
  );
  options(
    "filter-protocol",
    "all",
    [...wrong.protocols].map((name) => [name, name]),
  );
  options(
    "filter-cause",
    "all",
    [...kinds()].map((name) => [name, name]),
  );
  by<HTMLInputElement>("filter-host").value = "";
  by("of-file").hidden = names.length === 1;
  by("bad-ones").hidden = wrong.protocols.size === 0;
  options(
    "repair-file",
    undefined,
    read.map(({ file, name }) => [String(file), name]),
  );
  by("repair").hidden = wrong.protocols.size === 0;
  // Of captures that could not be read there is nothing more to say or to save.
  by("report").hidden = read.length === 0;
  by("taking").hidden = read.length === 0;
  by("repaired").hidden = true;
  showCauses();
  linkToFilter();
}

/** The protocols with wrong checksums, and the causes by file. */
function wrongOf(counted: Counted): { protocols: Set<string>; causes: Map<number, Set<string>> } {
  const protocols = new Set<string>();
  const causes = new Map<number, Set<string>>();
  for (const [at, { causes: of, checksums }] of counted.files.entries()) {
    const here = new Set(Object.values(of).flatMap((each) => Object.keys(each)));
    for (const [protocol, counts] of Object.entries(checksums)) {
      if ((counts["bad"] ?? 0) + (counts["illegal"] ?? 0) > 0) {
        protocols.add(protocol);
      }
      const explained = Object.values(of[protocol] ?? {}).reduce((sum, n) => sum + n, 0);
      if ((counts["bad"] ?? 0) + (counts["illegal"] ?? 0) > explained) {
        here.add("illegal");
      }
    }
    causes.set(read[at]?.file ?? at, here);
  }
  return { protocols, causes };
}

/** The kinds that the table of causes names. */
function kinds(): Set<string> {
  const cells = by("verdict").querySelectorAll("section:has(> #why) tbody th");
  return new Set([...cells].map((cell) => cell.textContent?.trim() ?? ""));
}

type Option = [value: string, text: string];

function options(id: string, all: string | undefined, given: Option[]): void {
  const list = given.map(([value, text]) => new Option(text, value));
  by<HTMLSelectElement>(id).replaceChildren(
    ...(all === undefined ? [] : [new Option(all, "")]),
    ...list,
  );
}

/** Makes the names of causes and senders buttons that set the filter. */
function linkToFilter(): void {
  const link = (cell: Element, control: "filter-cause" | "filter-host"): void => {
    const text = cell.textContent?.trim() ?? "";
    const button = make("button", { type: "button", className: "link", textContent: text });
    button.title = `Show the bad checksums of ${text}`;
    button.addEventListener("click", () => {
      by<HTMLInputElement | HTMLSelectElement>(control).value = text;
      void showRows();
      by("bad-ones").scrollIntoView({ block: "start" });
    });
    const swatch = cell.querySelector(".swatch");
    cell.replaceChildren(...(swatch ? [swatch] : []), button);
  };
  for (const cell of by("verdict").querySelectorAll("section:has(> #why) tbody th")) {
    link(cell, "filter-cause");
  }
  for (const cell of by("report").querySelectorAll("table.senders tbody th")) {
    link(cell, "filter-host");
  }
}

// Each bad checksum.

let most = PAGE;
let asked = 0;
/** The last look for rows, which the next one waits for. */
let looking: Promise<void> = Promise.resolve();

function filter(): Filter {
  const value = (id: string): string => by<HTMLInputElement | HTMLSelectElement>(id).value.trim();
  const file = value("filter-file");
  return {
    ...(file === "" ? {} : { file: Number(file) }),
    host: value("filter-host"),
    protocol: value("filter-protocol"),
    cause: value("filter-cause"),
  };
}

function showRows(upTo = PAGE): Promise<void> {
  most = upTo;
  asked += 1;
  searcher.cancelWhatWaits(new Outdated());
  looking = looking.then(look.bind(undefined, asked));
  return looking;
}

/** Looks for the rows of the filter, unless the reader has asked for others since. */
async function look(mine: number): Promise<void> {
  if (mine !== asked) {
    return;
  }
  const wanted = filter();
  const takesAll = Object.values(wanted).every((value) => value === "");
  const rows = await work("Looking for bad checksums", async () => {
    const held = await verifier.ask("rows", [wanted, most]);
    const isWhole = held.beyond === 0 || takesAll || mine !== asked;
    return isWhole ? held : searcher.ask("search", [files, wanted, most, ROOM], showProgress);
  });
  if (mine !== asked) {
    return;
  }
  if (rows) {
    show(rows);
  } else {
    by("found").textContent = "The search did not end. The rows are those from before it.";
  }
}

function show({ found, beyond, rows }: Rows): void {
  const number = (n: number): string => n.toLocaleString("en-US");
  const all = found + beyond;
  const what = all === 1 ? "bad or illegal checksum" : "bad or illegal checksums";
  const first = rows.length < all ? ` The first ${number(rows.length)} are shown.` : "";
  by("found").textContent = `${number(all)} ${what}.${first}`;
  by("rows").replaceChildren(...rows.map(line));
  by("more").hidden = rows.length >= found;
}

function line(row: Row): HTMLTableRowElement {
  const cell = (text: string | null, className = ""): HTMLTableCellElement =>
    make("td", { textContent: text ?? "", className });
  const [textContent, title] = [String(row.frame), "Explain this frame"];
  const properties = { type: "button", className: "link", textContent, title } as const;
  const button = make("button", properties);
  if (files.length > 1) {
    // A long name ends with dots, and the number of the frame is there in any case.
    const file = make("span", { className: "file", textContent: row.path, title: row.path });
    button.replaceChildren(file, `:${row.frame}`);
  }
  button.setAttribute("aria-expanded", "false");
  const head = make("th", { scope: "row" });
  head.append(button);
  const kind = row.kind === row.status ? row.status : `${row.status} (${row.kind})`;
  const line = make("tr");
  line.append(
    head,
    cell(row.layer > 1 ? `${row.protocol} in layer ${row.layer}` : row.protocol),
    cell(row.between, "mono between"),
    cell(kind),
    cell(row.found, "mono found"),
    cell(row.expected, "mono expected"),
    cell(row.time, "mono quiet time"),
  );
  line.addEventListener("click", () => void explain(row, line, button));
  return line;
}

/** Opens or closes the explanation of a frame below its row. */
async function explain(row: Row, line: HTMLElement, button: HTMLElement): Promise<void> {
  const below = line.nextElementSibling;
  if (below?.classList.contains("explained")) {
    below.remove();
    button.setAttribute("aria-expanded", "false");
    return;
  }
  const text = await work(`Explaining frame ${row.frame}`, () =>
    reader.ask("explain", [files[row.file] as File, row.frame], showProgress),
  );
  if (text === undefined || line.nextElementSibling?.classList.contains("explained")) {
    return;
  }
  const label = `The checksums of frame ${row.frame}`;
  const pre = make("pre", { textContent: text.trimEnd(), tabIndex: 0 });
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", label);
  const wide = make("td", { colSpan: 7 });
  wide.append(pre);
  const explained = make("tr", { className: "explained" });
  explained.append(wide);
  line.after(explained);
  button.setAttribute("aria-expanded", "true");
}

// Files to take away.

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may ask where to
}

/**
 * The name of a repaired capture: uncompressed, and never the name of the capture. It has no
 * characters that control a terminal or the direction of text.
 */
function repairedName(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Bidi_Control}]/gu, "");
  const plain = visible.replace(/\.(gz|zst|lz4|xz)$/i, "");
  const [, stem, extension] = /^(.*?)(\.[^.]*)?$/s.exec(plain) ?? [];
  return `${stem}.repaired${extension ?? ".pcap"}`;
}

/** The causes of the capture that is chosen, each with a box to tick. */
function showCauses(): void {
  const file = Number(by<HTMLSelectElement>("repair-file").value);
  const causes = wrongOf(JSON.parse(json)).causes.get(file) ?? new Set<string>();
  const boxes = [...causes].map((cause) => {
    const box = make("input", { type: "checkbox", name: "cause", value: cause, checked: true });
    const label = make("label", { className: "box" });
    label.append(box, ` ${cause}`);
    return label;
  });
  const nothing = make("span", { className: "quiet", textContent: "It has no bad checksum." });
  by("repair-causes").replaceChildren(...(boxes.length > 0 ? boxes : [nothing]));
  const button = by("repair").querySelector("button");
  if (button) {
    button.disabled = boxes.length === 0;
  }
}

async function repair(): Promise<void> {
  const boxes = [...by("repair").querySelectorAll<HTMLInputElement>("input[name=cause]")];
  const ticked = boxes.filter((box) => box.checked);
  const file = Number(by<HTMLSelectElement>("repair-file").value);
  const capture = files[file];
  if (!capture) {
    return;
  }
  if (ticked.length === 0) {
    fail("Tick a cause. Without one, there is nothing to repair.");
    return;
  }
  const out = repairedName(capture.name);
  // No cause stands for all, those included that a first repair uncovers.
  const causes = ticked.length === boxes.length ? [] : ticked.map((box) => box.value);
  const repaired = await work(`Repairing ${names[file]}`, () =>
    reader.ask("fix", [capture, out, causes], showProgress),
  );
  if (repaired) {
    save(repaired.blob, out);
    by("repaired").textContent = repaired.table.trimEnd();
    by("repaired").hidden = false;
  }
}

// What a reader does.

function listen(): void {
  const input = by<HTMLInputElement>("chosen");
  input.addEventListener("change", () => {
    void verify([...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  });
  const zone = by("drop");
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    zone.classList.toggle("over", relatedTarget !== null);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    void verify([...(event.dataTransfer?.files ?? [])]);
  });

  for (const name of Object.keys(examples)) {
    const button = make("button", { type: "button", textContent: QUESTIONS[name] ?? name });
    button.append(make("span", { className: "quiet", textContent: name }));
    button.addEventListener("click", () => void verify([example(name)]));
    by("examples").append(button);
  }
  by("read-dump").addEventListener("click", async () => {
    const text = by<HTMLTextAreaElement>("dump").value;
    const bytes = await work("Reading the dump", () => reader.ask("hexdump", [text]));
    if (bytes) {
      await verify([new File([bytes], "pasted.pcapng")]);
    }
  });
  by("cancel").addEventListener("click", () => {
    if (isVerifying) {
      verifier.cancel();
    }
    endReading(new Cancelled());
  });

  by("filter").addEventListener("submit", (event) => event.preventDefault());
  let typed: ReturnType<typeof setTimeout>;
  by("filter").addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(() => void showRows(), TYPED);
  });
  by("more").addEventListener("click", () => void showRows(most + PAGE));

  by("save-csv").addEventListener("click", async () => {
    const blob = await work("Writing CSV", () => reader.ask("csv", [files], showProgress));
    if (blob) {
      save(blob, "checksums.csv");
    }
  });
  const text = (id: string, name: string, type: string, content: () => string): void =>
    by(id).addEventListener("click", () => save(new Blob([content()], { type }), name));
  text("save-json", "checksums.json", "application/json", () => json);
  text("save-html", "checksums.html", "text/html", () => html);
  by("repair-file").addEventListener("change", showCauses);
  by("repair").addEventListener("submit", (event) => {
    event.preventDefault();
    void repair();
  });
}

/** Shows the licenses when the reader opens them. */
function showLicenses(): void {
  by("licenses").addEventListener("toggle", () => {
    by("notices").textContent = new TextDecoder().decode(unpack(notices));
  });
}

/** Takes the scheme of the page around this one, and not the scheme of the system. */
function setScheme(scheme: "light" | "dark"): void {
  document.documentElement.style.colorScheme = scheme;
  const ofScheme = /prefers-color-scheme|^(?:not )?all$/;
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])) {
    if (rule instanceof CSSMediaRule && ofScheme.test(rule.media.mediaText)) {
      rule.media.mediaText = scheme === "dark" ? "all" : "not all";
    }
  }
}

/** What a page that embeds this one hears: the height that this page needs. It may give captures
 * that were dropped on it, and its color scheme. */
function beEmbedded(): void {
  if (parent === window) {
    return;
  }
  addEventListener("message", ({ source, data }) => {
    if (source !== parent) {
      return;
    }
    if (data?.scheme === "light" || data?.scheme === "dark") {
      setScheme(data.scheme);
    }
    if (Array.isArray(data?.files)) {
      void verify(data.files.filter((file: unknown) => file instanceof File));
    }
  });
  // The end of the frame is not the end of the window.
  by("failed").before(by("working"));
  const root = document.documentElement;
  const tell = (): void => {
    const isCut = root.scrollHeight > root.clientHeight;
    const height = isCut ? Math.max(root.scrollHeight, root.offsetHeight) : root.offsetHeight;
    parent.postMessage({ height }, "*");
  };
  new ResizeObserver(tell).observe(document.body);
}

showTabs();
showSums();
beEmbedded();
listen();
showLicenses();
void showSample();
// From file:// there is nothing to keep: the page is on the disk. A sandbox keeps nothing.
if (origin !== "null" && location.protocol.startsWith("http") && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register("service-worker.js").catch(() => {});
}
