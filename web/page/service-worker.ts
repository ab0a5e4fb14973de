// SPDX-License-Identifier: MIT OR Apache-2.0
// Keeps the page, so that it opens without a network. The page is one file.
export {};

declare const self: ServiceWorkerGlobalScope;
/** The digest of the page, which build.ts puts here: another page is another cache. */
declare const PAGE: string;

const NAME = `wiresum ${PAGE}`;

self.addEventListener("install", (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(NAME);
    await cache.add(new Request("./", { cache: "no-cache" }));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const forget = async (): Promise<void> => {
    const ours = (await caches.keys()).filter((name) => name.startsWith("wiresum "));
    await Promise.all(ours.filter((name) => name !== NAME).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  const home = new URL(self.registration.scope).pathname;
  if (pathname === home || pathname === `${home}index.html`) {
    const kept = caches.match("./", { ignoreSearch: true });
    event.respondWith(kept.then((page) => page ?? fetch(event.request)));
  }
});
