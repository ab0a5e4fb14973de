// SPDX-License-Identifier: MIT OR Apache-2.0
// The site as Astro and its theme Starlight see it. build.ts sets the pages out for them.
import { satteri } from "@astrojs/markdown-satteri";
import starlight from "@astrojs/starlight";
import { defineConfig, passthroughImageService } from "astro/config";
import { BASE, HOST, REPOSITORY } from "./places.ts";
import { sidebar } from "./sidebar.ts";

export default defineConfig({
  site: HOST,
  base: BASE,
  // Pages run where they are built, and Node looks for packages from there. build.ts moves them.
  outDir: "./.astro/html",
  cacheDir: "../build/site/cache",
  publicDir: "../build/site/public",
  trailingSlash: "always",
  // Every picture is SVG, and stays as it is.
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  // Two hyphens begin an option, and are no dash.
  markdown: { processor: satteri({ features: { smartPunctuation: false } }) },
  integrations: [
    starlight({
      title: "wiresum",
      description: "The Internet checksum: computed, verified and repaired.",
      sidebar,
      social: [{ icon: "github", label: "GitHub", href: REPOSITORY }],
      customCss: ["./src/site.css"],
      favicon: "/favicon.svg",
      credits: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    }),
  ],
});
