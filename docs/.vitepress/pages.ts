/** Selects the Markdown files that are pages of the site, and their addresses. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const repository: string = fileURLToPath(new URL("../../", import.meta.url));

/** Files that are not pages, relative to the repository's root. */
export const excluded: readonly string[] = [
  "**/node_modules/**",
  "**/CHANGELOG.md",
  ".changeset/**",
  "bench/{build,results}/**",
  "packages/*/{build*,dist,native,src,test}/**",
  "packages/testing/**",
  // Files that scripts/build-pocl.mjs writes.
  "packages/pocl-linux-*/{lib,licenses,share}/**",
  "docs/build/{docs-examples,site,vitepress}/**",
  // Included in the generated pages of the same names.
  "docs/coming-from-pyopencl.md",
  "docs/coming-from-hysop.md",
];

const generated = "docs/build/pages/";

/** Converts a path relative to the repository's root to the path in the site, such as `examples/sobel/index.md`. */
export function addressOf(source: string): string {
  if (source === "README.md") return "index.md";
  if (source === "docs/README.md") return "guide.md";
  const path = linkBase(source).replace(/^docs\//, "");
  return path.replace(/(^|\/)README\.md$/, "$1index.md").replace("CONTRIBUTING", "contributing");
}

/** Returns the address that a file's relative link leads to, or undefined if that is not a page. */
export function follow(source: string, link: string): string | undefined {
  const [path = "", ...anchor] = link.split(/(?=#)/);
  const target = posix.normalize(posix.join(posix.dirname(linkBase(source)), decodeURIComponent(path)));
  if (target === "docs/parity.tsv") return "/coming-from.md";
  const page = [target, posix.join(target, "README.md")].find((file) => file.endsWith(".md") && isPage(file));
  return page === undefined ? undefined : `/${addressOf(page)}${anchor.join("")}`;
}

/** Returns the path that links are relative to: generated pages are linked as if they were in docs. */
function linkBase(source: string): string {
  return source.startsWith(generated) ? `docs/${source.slice(generated.length)}` : source;
}

function isPage(file: string): boolean {
  return existsSync(`${repository}${file}`) || existsSync(`${repository}${file.replace("docs/", generated)}`);
}
