// SPDX-License-Identifier: MIT OR Apache-2.0
// A reader of the page.
import assert from "node:assert/strict";
import type { Browser, ElementHandle, Page } from "puppeteer-core";

/** Keeps what the page saves, which a browser would write to a folder. */
const KEEP = `(() => {
  const blobs = new Map();
  const create = URL.createObjectURL;
  window.saved = [];
  URL.createObjectURL = (blob) => {
    const url = create.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    window.saved.push({ name: this.download, blob: blobs.get(this.href) });
  };
})()`;

/** A tab with the page, and what people do there. */
export class Visit {
  readonly errors: string[] = [];
  readonly asked: string[] = [];
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("request", (request) => this.asked.push(request.url()));
    page.on("console", (message) => {
      if (message.type() === "error") {
        this.errors.push(message.text());
      }
    });
  }

  static async begin(browser: Browser, url: string, scripts: string[] = []): Promise<Visit> {
    const page = await browser.newPage();
    for (const script of [KEEP, ...scripts]) {
      await page.evaluateOnNewDocument(script);
    }
    const visit = new Visit(page);
    await page.goto(url);
    return visit;
  }

  async end(): Promise<void> {
    await this.page.close();
    assert.deepEqual(this.errors, []);
  }

  /** Waits until the page has nothing to do and shows a verdict or a failure. */
  async ready(): Promise<void> {
    await this.page.waitForFunction(
      `!document.body.hasAttribute("aria-busy") &&
        (!document.getElementById("result").hidden || !document.getElementById("failed").hidden ||
          document.getElementById("said").textContent !== "")`,
      { timeout: 240_000, polling: 20 },
    );
  }

  /** Chooses files. */
  async upload(...paths: string[]): Promise<void> {
    const input = (await this.page.$("#chosen")) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...paths);
  }

  /** Chooses files, and waits for their verdict. */
  async choose(...paths: string[]): Promise<void> {
    await this.page.evaluate(`document.getElementById("said").textContent = ""`);
    await this.upload(...paths);
    await this.ready();
  }

  async click(selector: string): Promise<void> {
    await this.page.evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`);
  }

  text(selector: string): Promise<string> {
    return this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`,
    ) as Promise<string>;
  }

  /** What the page saves after a click: the name, and the bytes in base64. */
  async saved(selector: string): Promise<{ name: string; bytes: Buffer }> {
    await this.page.evaluate("void (saved.length = 0)");
    await this.click(selector);
    await this.page.waitForFunction("saved.length === 1", { timeout: 60_000, polling: 20 });
    const [name, base64] = (await this.page.evaluate(`new Promise((resolve) => {
      const [{ name, blob }] = saved;
      const reader = new FileReader();
      reader.onload = () => resolve([name, reader.result.split(",")[1] ?? ""]);
      reader.readAsDataURL(blob);
    })`)) as [string, string];
    return { name, bytes: Buffer.from(base64, "base64") };
  }

  async set(selector: string, value: string): Promise<void> {
    await this.page.evaluate(`(() => {
      const control = document.querySelector(${JSON.stringify(selector)});
      control.value = ${JSON.stringify(value)};
      control.dispatchEvent(new Event("input", { bubbles: true }));
      control.dispatchEvent(new Event("change", { bubbles: true }));
    })()`);
  }

  waitFor(condition: string): Promise<unknown> {
    return this.page.waitForFunction(condition, { timeout: 60_000, polling: 20 });
  }
}
