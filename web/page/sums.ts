// SPDX-License-Identifier: MIT OR Apache-2.0
// The tab "Sums": the addition of RFC 1071 word by word, and the update of RFC 1624. The words are
// added here one by one, so that a reader can follow them; the module computes the same sum.
import { checksum, kernel, sum, update } from "../npm/sums.ts";
import { by, make } from "./dom.ts";

/** The most bytes that the addition shows: the longest Ethernet frame. */
const MOST = 1518;

const hex = (value: number, digits = 4): string => value.toString(16).padStart(digits, "0");

/** The bytes that a reader typed, or what is wrong with them. */
function typed(text: string): Uint8Array | string {
  const digits = text.replace(/0x|[\s,:;-]/gi, "");
  const wrong = /[^0-9a-f]/i.exec(digits);
  if (wrong) {
    return `“${wrong[0]}” is no hexadecimal digit. Bytes look like 45 00 00 3c.`;
  }
  if (digits.length % 2 === 1) {
    return "A digit is missing: two digits make a byte.";
  }
  if (digits.length > 2 * MOST) {
    return `There are ${digits.length / 2} bytes. Give at most ${MOST}.`;
  }
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Shows what is wrong with an input, or hides it. */
function complain(id: string, what: string): void {
  by(id).textContent = what;
  by(id).hidden = what === "";
}

/** The rows of a list of results: what it is, the value, and a note. */
function outcome(id: string, rows: [what: string, value: string, note?: string][]): void {
  const nodes = rows.flatMap(([what, value, note]) => {
    const shown = make("dd");
    shown.append(make("code", { textContent: value }));
    if (note) {
      shown.append(make("span", { className: "quiet", textContent: ` ${note}` }));
    }
    return [make("dt", { textContent: what }), shown];
  });
  by(id).replaceChildren(...nodes);
}

/** The total of the words, with its carries. Fills in the table. */
function add(bytes: Uint8Array): number {
  let total = 0;
  const rows = [];
  for (let at = 0; at < bytes.length; at += 2) {
    const [high = 0, low] = bytes.subarray(at, at + 2);
    const word = high * 256 + (low ?? 0);
    total += word;
    const pair = low === undefined ? `${hex(high, 2)} (00)` : `${hex(high, 2)} ${hex(low, 2)}`;
    const row = make("tr");
    for (const text of [String(at), pair, hex(word), hex(total)]) {
      row.append(make("td", { textContent: text, className: "mono" }));
    }
    rows.push(row);
  }
  by("words").replaceChildren(...rows);
  return total;
}

/** Folds a total: the carries above 16 bits are added at the low end, until none is left. */
function fold(total: number): [steps: string, sum: number] {
  const steps = [];
  let folded = total;
  while (folded > 0xffff) {
    const [high, low] = [Math.floor(folded / 0x10000), folded % 0x10000];
    folded = high + low;
    steps.push(`${high.toString(16)} + ${hex(low)} = ${hex(folded)}`);
  }
  return [steps.join(", then "), folded];
}

function showAddition(bytes: Uint8Array): void {
  const total = add(bytes);
  const [steps, folded] = fold(total);
  outcome("outcome", [
    ["Total with its carries", hex(total)],
    ["Carries added at the low end", steps || hex(folded), steps ? "" : "there is no carry"],
    ["Sum", hex(sum(bytes)), "one's complement sum of 16 bits"],
    ["Checksum", hex(checksum(bytes)), "the complement of the sum"],
  ]);
}

function showChange(bytes: Uint8Array): void {
  const at = by<HTMLInputElement>("at").valueAsNumber;
  const given = by<HTMLInputElement>("new-byte").value.trim();
  const is = /^[0-9a-f]{1,2}$/i.test(given) ? Number.parseInt(given, 16) : undefined;
  const was = bytes[at];
  if (was === undefined || is === undefined) {
    by("changed").replaceChildren();
    complain(
      "change-error",
      is === undefined
        ? "The new byte has one or two hexadecimal digits."
        : `There is no byte at this offset. The last one is at ${bytes.length - 1}.`,
    );
    return;
  }
  complain("change-error", "");
  const before = checksum(bytes);
  const after = bytes.slice();
  after[at] = is;
  const even = at - (at % 2);
  const word = (of: Uint8Array): number => (of[even] ?? 0) * 256 + (of[even + 1] ?? 0);
  const [old, now] = [word(bytes), word(after)];
  const [left, right] = [before ^ 0xffff, old ^ 0xffff];
  const [, folded] = fold(left + right + now);
  const updated = update(before, at, Uint8Array.of(was), Uint8Array.of(is));
  const again = checksum(after);
  outcome("changed", [
    ["The word m becomes m'", `${hex(old)} → ${hex(now)}`, `at offset ${even}`],
    ["~HC + ~m + m'", `${hex(left)} + ${hex(right)} + ${hex(now)} = ${hex(folded)}`, "folded"],
    ["Updated checksum HC'", hex(updated), "RFC 1624, from the change alone"],
    ["Checksum of all bytes", hex(again), updated === again ? "the same" : DIFFERENT],
  ]);
}

const DIFFERENT =
  "The bytes are all zero now. An update cannot know that: RFC 1624 section 3 has this exception.";

export function showSums(): void {
  let begun = false;
  const show = (): void => {
    const bytes = typed(by<HTMLTextAreaElement>("bytes").value);
    if (typeof bytes === "string") {
      complain("bytes-error", bytes);
      return;
    }
    complain("bytes-error", "");
    showAddition(bytes);
    showChange(bytes);
  };
  const start = (): void => {
    by("kernel").textContent = kernel();
    show();
    for (const id of ["bytes", "at", "new-byte"]) {
      by(id).addEventListener("input", show);
    }
  };
  // The kernel is prepared when the tab is opened for the first time.
  const opened = (): void => {
    if (!by("sums").hidden && !begun) {
      begun = true;
      start();
    }
  };
  new MutationObserver(opened).observe(by("sums"), { attributeFilter: ["hidden"] });
  opened();
}
