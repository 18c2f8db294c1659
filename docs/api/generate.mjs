// Generates the API reference from the sources: pages in docs/build/pages/api, and docs/build/api.json, which maps each
// symbol's name in docs/parity.tsv to its address.
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Application, Converter, ReflectionKind, RendererEvent } from "typedoc";

import { entryPoints } from "./entry-points.mjs";
import { layOut } from "./layout.mjs";
import { splitPages } from "./topics.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
// Kinds with a separate page.
const paged = ["Class", "Interface", "Variable", "Function", "TypeAlias"];

const app = await Application.bootstrapWithPlugins({
  entryPoints: entryPoints.map(({ source }) => path(`../../${source}`)),
  tsconfig: path("tsconfig.json"),
  plugin: ["typedoc-plugin-markdown"],
  router: "member",
  membersWithOwnFile: paged,
  entryFileName: "index",
  // The type check uses the workspace's TypeScript, which is newer than this one.
  skipErrorChecking: true,
  out: path("../build/pages/api"),
  readme: "none",
  name: "API reference",
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  disableSources: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  sanitizeComments: true,
  indexFormat: "table",
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  typeDeclarationFormat: "table",
  pageTitleTemplates: { project: "API reference", module: "@cl/{name}", member: "{name}" },
  logLevel: "Warn",
});
// Properties such as "~argument" only carry types.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  const typeCarriers = Object.values(project.reflections).filter(({ name }) => name.startsWith("~"));
  for (const reflection of typeCarriers) project.removeReflection(reflection);
});
// A class that is merged with an interface has its comment there; without it, TypeDoc shows the base class's comment.
app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
  if (!reflection.kindOf(ReflectionKind.Class)) return;
  const symbol = context.getSymbolFromReflection(reflection);
  if (symbol !== undefined) reflection.comment ??= context.getComment(symbol, ReflectionKind.Interface);
});
const project = await app.convert();
if (project === undefined) process.exit(1);
const modules = project.children ?? [];
for (const module of modules) module.name = module.name.replace("/src", "");

const addresses = {};
app.renderer.on(RendererEvent.END, () => {
  for (const module of modules) {
    for (const symbol of module.children ?? []) addAddresses(`@cl/${module.name}:${symbol.name}`, symbol);
  }
});
rmSync(path("../build/pages/api"), { recursive: true, force: true });
await app.generateOutputs(project);
const find = layOut(path("../build/pages/api"), sourcesOfMembers());
for (const [name, address] of Object.entries(addresses)) {
  addresses[name] = `/api/${find(address)}`.replace(".md", ".html");
}
writeFileSync(path("../build/pages/api/index.md"), overview());
writeFileSync(path("../build/api.json"), JSON.stringify(addresses, null, 1));

/** Returns the overview page: each package with its purpose and guide. TypeDoc's lists only names. */
function overview() {
  const packages = [
    ["core", "platforms, memory, programs, kernels and launches", "getting-started", "Getting started"],
    ["tools", "allocators, memory pools, generated kernels", "memory-pools", "Memory pools"],
    ["tools/testing", "helpers for tests on devices, with vitest", "testing", "Testing on devices"],
    [
      "characterize",
      "device properties, measured performance, launch shapes",
      "characterize",
      "Device characteristics",
    ],
    ["characterize/testing", "other device properties, for tests", "launch-shapes", "Launch shapes"],
    ["trace", "traces: read, converted, merged, summarized and drawn", "traces", "Traces and reports"],
    ["launcher", "kernels, copies and host steps as lists, with statistics", "launchers", "Launchers"],
    ["mpi", "grids, ghosts and reductions on the ranks of an MPI job", "clusters", "Clusters"],
    ["mpi/fft", "Fourier transforms of fields that are divided among ranks", "clusters", "Clusters"],
    ["array", "NumPy-like arrays", "arrays", "Arrays"],
    ["cli", "the command `clkit` as a function", "command-line", "The command line"],
  ];
  const missing = modules.filter(({ name }) => !packages.some(([listed]) => listed === name));
  if (missing.length > 0) throw new Error(`no description of: ${missing.map(({ name }) => name).join(", ")}`);
  return [
    "# API reference",
    "",
    "Every export of each package. You can search for all of them by name.",
    "",
    ...packages.map(
      ([name, text, page, title]) => `- [@cl/${name}](${name}/index.md): ${text}. The guide: [${title}](/${page}.md).`,
    ),
    "",
  ].join("\n");
}

/** Returns the source file, relative to `src`, of each member of the pages that are split by topic. */
function sourcesOfMembers() {
  const sources = new Map();
  for (const page of splitPages) {
    const [, name, symbol] = /^(\w+)\/classes\/(\w+)\.md$/.exec(page);
    const owner = modules.find((module) => module.name === name).children.find((child) => child.name === symbol);
    for (const member of owner.children) {
      const id = project.getSymbolIdFromReflection(member) ?? project.getSymbolIdFromReflection(member.signatures[0]);
      sources.set(`${page}:${member.name}`, id.packagePath.replace(/^src\//, ""));
    }
  }
  return sources;
}

/** Adds the addresses of a symbol and its members. */
function addAddresses(name, reflection) {
  const { router } = app.renderer;
  const target = reflection.isReference?.() ? reflection.getTargetReflectionDeep() : reflection;
  if (!router.hasUrl(target)) return;
  addresses[name] = router.getFullUrl(target);
  const members = target.children ?? target.type?.declaration?.children ?? [];
  for (const member of members) {
    const own = member.flags.isStatic || !target.kindOf(ReflectionKind.Class);
    addAddresses(`${name}.${own ? "" : "prototype."}${member.name.replace(/^\[(\w+)\]$/, "@@$1")}`, member);
  }
}
