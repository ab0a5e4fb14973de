// SPDX-License-Identifier: MIT OR Apache-2.0
// Short words for what the page does with its elements.

/** The element with an id, which index.html has. */
export function by<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) {
    throw new Error(`The page has no element ${id}.`);
  }
  return element as T;
}

/** A new element with these properties. */
export function make<N extends keyof HTMLElementTagNameMap>(
  name: N,
  properties: Partial<HTMLElementTagNameMap[N]> = {},
): HTMLElementTagNameMap[N] {
  return Object.assign(document.createElement(name), properties);
}

/** Speaks to a reader who hears the page. */
export function say(text: string): void {
  by("said").textContent = text;
}
