// SPDX-License-Identifier: MIT OR Apache-2.0
// The button that copies a block: of a block with commands and what they print, it copies the
// commands alone, so that a reader can paste them.
import type { StarlightUserConfig } from "@astrojs/starlight/types";

type Options = Exclude<NonNullable<StarlightUserConfig["expressiveCode"]>, boolean>;
type CodePlugin = Extract<NonNullable<Options["plugins"]>[number], { name: string }>;

/** The commands of a block, without the prompts and what they print. */
export function commandsOf(block: string): string {
  const commands = block.match(/^\$ (?:.*\\\n)*.*$/gm) ?? [];
  return commands.map((command) => command.slice(2)).join("\n");
}

interface Node {
  properties?: Record<string, unknown>;
  children?: unknown[];
}

/** The properties of all buttons that copy. */
function buttons({ properties, children = [] }: Node): Record<string, unknown>[] {
  const inner = children.flatMap((child) => buttons(child as Node));
  return properties?.["dataCode"] === undefined ? inner : [properties, ...inner];
}

export function copiesCommands(): CodePlugin {
  return {
    name: "copies commands",
    hooks: {
      postprocessRenderedBlock({ codeBlock, renderData }) {
        const commands = commandsOf(codeBlock.code);
        if (codeBlock.language === "console" && commands !== "") {
          for (const properties of buttons(renderData.blockAst as Node)) {
            // The script of the button reads DEL as the end of a line.
            properties["dataCode"] = commands.replaceAll("\n", "\u007f");
          }
        }
      },
    },
  };
}
