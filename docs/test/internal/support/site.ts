/** The site built by `npm run docs`: its files, and a server for them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../build/site/", import.meta.url));

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** Returns the addresses of all pages, such as `/arrays.html`. */
export function pagesOfSite(): string[] {
  return filesOfSite()
    .filter((name) => name.endsWith(".html"))
    .map((name) => `/${name}`)
    .toSorted();
}

/** Returns the paths of all files, relative to the site's root; an empty list if the site is not built. */
export function filesOfSite(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"));
}

/** Returns the file at an address, or undefined. */
export function fileAt(address: string): string | undefined {
  const path = join(folder, decodeURIComponent(new URL(address, "http://site").pathname));
  const files = [path, `${path}.html`, join(path, "index.html")];
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

export interface Served {
  readonly origin: string;
  close(): void;
}

/** Serves the site on a free local port. */
export async function serve(): Promise<Served> {
  const server = createServer((request, response) => {
    const file = fileAt(request.url ?? "/");
    response.writeHead(file === undefined ? 404 : 200, { "content-type": types[extname(file ?? ".html")] ?? "" });
    response.end(file === undefined ? "" : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
