// Makes the module src/report/page/bundle.js: the report's page, its program bundled and its style, as two strings. It is a
// plugin, so that the package's bundle and the tests on the sources have it alike.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = new URL("../src/report/page/", import.meta.url);
const module = "\0report-page";

export function reportPage() {
  let made;
  return {
    name: "report-page",
    enforce: "pre",
    resolveId(source, importer) {
      return source === "./page/bundle.js" && importer?.endsWith("html-report.ts") ? module : null;
    },
    async load(id) {
      if (id !== module) return null;
      made ??= script();
      const texts = { script: await made, style: style() };
      return Object.entries(texts)
        .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`)
        .join("");
    },
  };
}

async function script() {
  // Only here: whoever has the built package has no bundler.
  const { build } = await import("rolldown");
  const { output } = await build({
    input: fileURLToPath(new URL("main.ts", page)),
    platform: "browser",
    // The source, so that the tests on the sources need no build.
    resolve: { alias: { "@cl/base/units": fileURLToPath(new URL("../../base/src/units/index.ts", import.meta.url)) } },
    transform: { target: "es2022" },
    logLevel: "warn",
    write: false,
    output: { format: "iife", minify: true },
  });
  const [{ code }] = output;
  // It stands in a script element, which these would end or change.
  if (/<\/script|<!--/i.test(code)) throw new Error("the report's program has a text that ends its script element");
  return code.trim();
}

function style() {
  const text = readFileSync(new URL("page.css", page), "utf8");
  return text
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/;}/g, "}")
    .trim();
}
