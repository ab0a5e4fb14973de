// SPDX-License-Identifier: MIT OR Apache-2.0

import { defineCollection } from "astro:content";
import { docsSchema } from "@astrojs/starlight/schema";
import { glob } from "astro/loaders";
import { address } from "../places.ts";

export const collections = {
  docs: defineCollection({
    loader: glob({
      base: "../build/site/pages",
      pattern: "**/*.md",
      generateId: ({ entry }) => address(entry),
    }),
    schema: docsSchema(),
  }),
};
