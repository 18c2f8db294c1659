// Generates the module src/report/page/bundle.js, which exports the bundled script and the style of the report page as strings.
// A plugin, so that the package's bundle and the tests on the sources use the same module.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = new URL("../src/report/page/", import.meta.url);
const module = "\0report-page";

export function reportPage() {
  let bundled;
  return {
    name: "report-page",
    enforce: "pre",
    resolveId(source, importer) {
      return source === "./page/bundle.js" && importer?.endsWith("html-report.ts") ? module : null;
    },
    async load(id) {
      if (id !== module) return null;
      bundled ??= script();
      const texts = { script: await bundled, style: style() };
      return Object.entries(texts)
        .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`)
        .join("");
    },
  };
}

async function script() {
  // Imported lazily, since the built package does not depend on a bundler.
  const { build } = await import("rolldown");
  const { output } = await build({
    input: fileURLToPath(new URL("main.ts", page)),
    platform: "browser",
    // Resolve to the sources, so that tests do not need a build.
    resolve: { alias: { "@cl/base/units": fileURLToPath(new URL("../../base/src/units/index.ts", import.meta.url)) } },
    transform: { target: "es2022" },
    logLevel: "warn",
    write: false,
    output: { format: "iife", minify: true },
  });
  const [{ code }] = output;
  // The script is embedded in a script element, which these would end or change.
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
