// SPDX-License-Identifier: MIT OR Apache-2.0
// The two tabs, as the ARIA Authoring Practices describe tabs: arrow keys move, and the address
// keeps the choice.
import { by } from "./dom.ts";

const TABS = ["captures", "sums"];

export function showTabs(): void {
  const choose = (name: string, focus = false): void => {
    for (const each of TABS) {
      const tab = by(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      by(each).hidden = each !== name;
    }
    if (focus) {
      by(`tab-${name}`).focus();
    }
  };
  const fromAddress = (): void => choose(location.hash === "#sums" ? "sums" : "captures");
  const keep = (name: string): void => history.replaceState(null, "", `#${name}`);
  for (const [at, name] of TABS.entries()) {
    const tab = by(`tab-${name}`);
    tab.addEventListener("click", () => {
      choose(name);
      keep(name);
    });
    tab.addEventListener("keydown", ({ key }) => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: TABS.length - 1 }[key];
      const next = to === undefined ? undefined : TABS[(to + TABS.length) % TABS.length];
      if (next) {
        choose(next, true);
        keep(next);
      }
    });
  }
  addEventListener("hashchange", fromAddress);
  fromAddress();
}
