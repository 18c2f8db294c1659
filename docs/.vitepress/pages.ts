/** Which Markdown files are pages of the site, and at which addresses. */
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const repository: string = fileURLToPath(new URL("../../", import.meta.url));

/** Below the repository's root: what is no page, or stands on another one. */
export const excluded: readonly string[] = [
  "**/node_modules/**",
  "**/CHANGELOG.md",
  ".changeset/**",
  "bench/{build,results}/**",
  "packages/*/{build*,dist,native,src,test}/**",
  "packages/testing/**",
  "docs/build/{docs-examples,site,vitepress}/**",
  // Stands at the head of the generated page of the same name.
  "docs/coming-from-pyopencl.md",
];

const generated = "docs/build/pages/";

/** The file's path in the site, such as `examples/sobel/index.md`, from that below the repository's root. */
export function addressOf(source: string): string {
  if (source === "README.md") return "index.md";
  if (source === "docs/README.md") return "guide.md";
  const path = asWritten(source).replace(/^docs\//, "");
  return path.replace(/(^|\/)README\.md$/, "$1index.md").replace("CONTRIBUTING", "contributing");
}

/** The address that a relative link of a file leads to, or undefined where that is no page, as a folder of sources. */
export function follow(source: string, link: string): string | undefined {
  const [path = "", ...anchor] = link.split(/(?=#)/);
  const target = posix.normalize(posix.join(posix.dirname(asWritten(source)), decodeURIComponent(path)));
  if (target === "docs/parity.tsv") return "/coming-from.md";
  const page = [target, posix.join(target, "README.md")].find((file) => file.endsWith(".md") && isPage(file));
  return page === undefined ? undefined : `/${addressOf(page)}${anchor.join("")}`;
}

/** Generated pages have the links that they would have if they lay in docs. */
function asWritten(source: string): string {
  return source.startsWith(generated) ? `docs/${source.slice(generated.length)}` : source;
}

function isPage(file: string): boolean {
  return existsSync(`${repository}${file}`) || existsSync(`${repository}${file.replace("docs/", generated)}`);
}
