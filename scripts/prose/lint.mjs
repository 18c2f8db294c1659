// Searches Markdown, comments and error messages for terms that the style guide replaces. See docs/prose.md.
//
//   node scripts/prose/lint.mjs [--count] [PATH...]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { TextlintKernelDescriptor } from "@textlint/kernel";
import { moduleInterop } from "@textlint/module-interop";
import { parse } from "@textlint/text-to-ast";
import markdown from "@textlint/textlint-plugin-markdown";
import { createLinter, loadLinterFormatter } from "textlint";
import allowlist from "textlint-filter-rule-allowlist";
import prh from "textlint-rule-prh";

import { proseOf, sourceEndings } from "./prose-of.mjs";

/** Sources checked by default; the others are still to be rewritten. All Markdown is checked. */
const sources = ["scripts/", "bench/", "examples/", "docs/", ".ci/", "packages/"];
/** Markdown that quotes the terms or is generated. */
const excluded = ["docs/prose.md", "bench/results/"];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { count: { type: "boolean" } } });
const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** Makes textlint read sources as plain text, with everything but prose blanked. */
class Sources {
  availableExtensions() {
    return sourceEndings;
  }
  processor() {
    return {
      preProcess: (/** @type {string} */ text, /** @type {string} */ path) => parse(proseOf(text, path)),
      postProcess: (/** @type {unknown[]} */ messages, /** @type {string} */ filePath) => ({ messages, filePath }),
    };
  }
}

const descriptor = new TextlintKernelDescriptor({
  rules: [{ ruleId: "prh", rule: moduleInterop(prh), options: { rulePaths: [here("terms.yml")] } }],
  filterRules: [
    {
      ruleId: "allowlist",
      rule: moduleInterop(allowlist),
      options: { allowlistConfigPaths: [here("exceptions.yml")] },
    },
  ],
  plugins: [
    { pluginId: "markdown", plugin: moduleInterop(markdown) },
    { pluginId: "sources", plugin: { Processor: Sources } },
  ],
});

const wanted = positionals.length > 0 ? positionals : ["."];
const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...wanted], {
  encoding: "utf8",
});
const files = tracked.split("\0").filter((file) => {
  if (excluded.some((prefix) => file.startsWith(prefix))) return false;
  if (file.endsWith(".md")) return true;
  if (!sourceEndings.some((ending) => file.endsWith(ending))) return false;
  return positionals.length > 0 || sources.some((prefix) => file.startsWith(prefix));
});

const results = (await createLinter({ descriptor }).lintFiles(files)).map(({ filePath, messages }) => ({
  filePath,
  messages: filePath.endsWith(".md") ? messages : inProse(filePath, messages),
}));
const hits = results.reduce((sum, { messages }) => sum + messages.length, 0);
if (values.count) {
  for (const { filePath, messages } of results) if (messages.length > 0) console.log(`${messages.length}\t${filePath}`);
} else if (hits > 0) {
  console.log((await loadLinterFormatter({ formatterName: "unix" })).format(results));
}
console.log(`prose: ${hits} hits in ${files.length} files`);
if (hits > 0) process.exitCode = 1;

/**
 * Returns the messages about prose. The rule reads the original text of a source, code included.
 * @param {string} path
 * @param {readonly { index: number }[]} messages
 */
function inProse(path, messages) {
  const prose = proseOf(readFileSync(path, "utf8"), path);
  return messages.filter(({ index }) => prose[index]?.trim() !== "");
}
