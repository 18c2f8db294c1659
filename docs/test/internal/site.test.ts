/**
 * Checks the site built by `npm run docs`: its links, and its pages in Chromium.
 *
 * @module-tag full
 */
import { readFileSync, statSync } from "node:fs";

import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from "vitest";

import { needs } from "@cl/base/testing";
import { Chromium, findChromium } from "@cl/testing/chromium";
import { lowContrastTexts } from "./support/low-contrast-texts.js";
import { fileAt, filesOfSite, pagesOfSite, serve, type Served } from "./support/site.js";

const pages = pagesOfSite();
const path = findChromium();
const guide = pages.filter((page) => !page.startsWith("/api/") && page !== "/404.html");
const reference = pages.filter((page) => page.startsWith("/api/"));
// A page takes 0.2 s: all of the guide, but only the index pages and a sample of the reference.
const sampledPages = [...guide, ...reference.filter((page, i) => page.endsWith("/index.html") || i % 50 === 0)];

let browser: Chromium | undefined;
let site: Served | undefined;

beforeAll(async () => {
  if (path === undefined || pages.length === 0) return;
  site = await serve();
  browser = await Chromium.start(path);
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

beforeEach((run) => {
  needs(run, pages.length > 0, "the site is not built: npm run docs");
  browser?.complaints.splice(0);
});

test("every link within the site leads to an existing page and anchor", () => {
  // The menus are the same on hundreds of pages, so check each target once.
  const targets = new Map<string, string>();
  const ids = new Map<string, Set<string>>();
  for (const page of pages) {
    const file = fileAt(page) as string;
    const text = readFileSync(file, "utf8");
    ids.set(file, anchorsOf(text));
    for (const [, href = ""] of text.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const { pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `http://site${page}`);
      targets.set(pathname + hash, page);
    }
  }
  expect(targets.has("/api/core/classes/Kernel.html") && targets.has("/bench/#launchers")).toBe(true);
  const broken = [...targets].filter(([target]) => {
    const [pathname = "", anchor = ""] = target.split("#");
    const anchors = ids.get(fileAt(pathname) ?? "");
    return anchors === undefined || (anchor !== "" && !anchors.has(decodeURIComponent(anchor)));
  });
  expect(broken.map(([target, page]) => `${page}: ${target}`)).toEqual([]);
});

test("every page of the guide is in a menu, and no page shows properties that only carry types", () => {
  const menu = new Set(
    [...readFileSync(fileAt("/guide.html") as string, "utf8").matchAll(/<a [^>]*?href="([^"#]+)/g)].map(
      ([, href = ""]) => fileAt(href),
    ),
  );
  expect(guide.filter((page) => !menu.has(fileAt(page)))).toEqual([]);
  const shown = reference.filter((page) => /<h\d[^>]*>~/.test(readFileSync(fileAt(page) as string, "utf8")));
  expect(shown).toEqual([]);
});

test("the first page shows the README below links to the installation and to the three main guides", () => {
  const page = readFileSync(fileAt("/") as string, "utf8");
  const [hero = "", text = ""] = page.split('class="vp-doc');
  const links = [...hero.matchAll(/class="VPButton[^"]*" href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toEqual(["/install.html", "/arrays.html", "/getting-started.html", "/launchers.html"]);
  for (const id of ["a-first-kernel", "three-figures", "comparison-with-other-libraries", "the-layers"]) {
    expect(text).toContain(`id="${id}"`);
  }
});

test("the page of each package describes every symbol in one sentence", () => {
  const indices = reference.filter((page) => /^\/api\/.+\/index\.html$/.test(page));
  const rows = indices.flatMap((page) => {
    const text = readFileSync(fileAt(page) as string, "utf8");
    return [...text.matchAll(/<tr><td><a href="([^"]+)".*?<\/td><td>(.*?)<\/td><\/tr>/g)];
  });
  expect(rows.length).toBeGreaterThan(700);
  expect(rows.flatMap(([, href, text]) => (text === "" || text === "-" ? [href] : []))).toEqual([]);
});

test("the search index is smaller than 1 MB", () => {
  const index = filesOfSite().find((name) => name.includes("@localSearchIndex"));
  expect(statSync(fileAt(`/${index}`) as string).size).toBeLessThan(1_000_000);
});

test("pages make no requests to other hosts", () => {
  const external = pages.filter((page) =>
    /<(?:script|img|iframe)[^>]* src="(?:https?:)?\/\/|<link[^>]* href="(?:https?:)?\/\//.test(
      readFileSync(fileAt(page) as string, "utf8"),
    ),
  );
  expect(external).toEqual([]);
});

test("every name of docs/parity.tsv is on the page of its library", () => {
  const rows = readFileSync(new URL("../../parity.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1);
  const library = { opencl: "opencl-for-python", pyopencl: "pyopencl", hysop: "hysop" };
  const texts = Object.entries(library).map(([prefix, name]) => {
    const html = readFileSync(fileAt(`/coming-from-${name}.html`) as string, "utf8");
    return [prefix, html.replaceAll("<wbr>", "").replaceAll('<code class="short">', "<code>")] as const;
  });
  const missing = rows.filter((row) => {
    const [prefix = "", ...names] = (row.split("\t")[1] ?? "").split(".");
    return !new Map(texts).get(prefix)?.includes(`<code>${names.join(".")}</code>`);
  });
  expect(missing).toEqual([]);
});

describe("in a browser", () => {
  test(
    "pages open without console errors, and none is wider than a phone in either theme",
    { timeout: 240_000 },
    async (run) => {
      const page = await inBrowser(run);
      await page.emulate(390, 844, light);
      const faults: string[] = [];
      const widths = `["light", "dark"].map((theme) => {
      document.documentElement.classList.toggle("dark", theme === "dark");
      return document.documentElement.scrollWidth;
    })`;
      const missing = `[...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).length`;
      for (const address of sampledPages) {
        await open(page, address);
        const [inLight = 0, inDark = 0, pictures = 0] = await page.ask<number[]>(`[...${widths}, ${missing}]`);
        if (inLight > 390 || inDark > 390) faults.push(`${address}: ${inLight} and ${inDark} pixels`);
        if (pictures > 0) faults.push(`${address}: ${pictures} broken images`);
      }
      expect(faults).toEqual([]);
      expect(page.complaints).toEqual([]);
    },
  );

  test("no page of the reference is longer than 20 screens", { timeout: 60_000 }, async (run) => {
    const page = await inBrowser(run);
    await page.emulate(1440, 900, light);
    const size = (address: string): number => statSync(fileAt(address) as string).size;
    const largest = reference.toSorted((a, b) => size(b) - size(a)).slice(0, 30);
    const tooLong: string[] = [];
    for (const address of largest) {
      await open(page, address);
      const height = await page.ask<number>("document.documentElement.scrollHeight");
      if (height > 20 * 900) tooLong.push(`${address}: ${height} pixels; split it by topic in docs/api/topics.mjs`);
    }
    expect(tooLong).toEqual([]);
  });

  test.for([1280, 1440, 1600])("at %d pixels the sidebar's names and the text are not clipped", async (width, run) => {
    const page = await inBrowser(run);
    await page.emulate(width, 900, light);
    await open(page, "/getting-started.html");
    const tooWide = await page.ask<string[]>(`(() => {
      const edge = document.querySelector(".VPSidebar").getBoundingClientRect().right;
      const text = document.querySelector(".vp-doc").getBoundingClientRect();
      const names = [...document.querySelectorAll(".VPSidebar .text")].filter((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return range.getBoundingClientRect().right > edge;
      });
      const over = names.map(({ textContent }) => textContent);
      return text.left < edge || text.width < 600 ? [...over, "the text of the page"] : over;
    })()`);
    expect(tooWide).toEqual([]);
  });

  test.for([
    ["install", "/install.html"],
    ["mean", "/arrays-reductions.html"],
    ["mask", "/arrays-indexing.html#boolean-masks"],
    ["kernel", "/launchers.html#one-kernel"],
    ["cache", "/programs-and-cache.html#the-cache"],
    ["MemoryPool", "/api/tools/classes/MemoryPool.html"],
    ["DeviceBuffer", "/api/core/classes/DeviceBuffer.html"],
  ] as const)("the first result of a search for '%s' is %s", async ([word, found], run) => {
    const page = await inBrowser(run);
    expect(await resultsOf(page, word)).toHaveProperty("0", found);
    expect(page.complaints).toEqual([]);
  });

  test("the search finds the class of a method", async (run) => {
    const page = await inBrowser(run);
    expect(await resultsOf(page, "enqueueMigrate")).toContain("/api/core/classes/CommandQueue.html");
  });

  test.for(["light", "dark"])("text has sufficient contrast in the %s theme", async (theme, run) => {
    const page = await inBrowser(run);
    await page.emulate(1280, 900, { ...light, "prefers-color-scheme": theme });
    await open(page, "/getting-started.html");
    expect(await page.ask("document.documentElement.classList.contains('dark')")).toBe(theme === "dark");
    for (const address of ["/getting-started.html", "/kernels-and-launches.html", "/api/core/classes/Kernel.html"]) {
      await open(page, address);
      const pale = await page.ask<string[]>(`(${lowContrastTexts.toString()})()`);
      expect(pale, address).toEqual([]);
    }
  });
});

const light = { "prefers-reduced-motion": "reduce", "prefers-color-scheme": "light" };

async function inBrowser(run: TestContext): Promise<Chromium> {
  needs(run, path !== undefined, "Chromium is not on PATH");
  return browser as Chromium;
}

/** Opens a page and waits until it is hydrated. */
async function open(page: Chromium, address: string): Promise<void> {
  await page.send("Page.navigate", { url: `${(site as Served).origin}${address}` });
  await until(
    page,
    `location.pathname === ${JSON.stringify(address)} && "__vue_app__" in document.getElementById("app")`,
  );
  await page.frame();
}

/** Returns the addresses that a search for a word lists, in order. */
async function resultsOf(page: Chromium, word: string): Promise<string[]> {
  await page.emulate(1280, 900, light);
  await open(page, "/getting-started.html");
  await page.ask("document.querySelector('.DocSearch-Button').click()");
  await until(page, "document.querySelector('.VPLocalSearchBox input') !== null");
  await page.ask(`(() => {
    const input = document.querySelector(".VPLocalSearchBox input");
    input.value = ${JSON.stringify(word)};
    input.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  const hrefs =
    "Array.from(document.querySelectorAll('.VPLocalSearchBox .result'), ({ href }) => href.slice(location.origin.length))";
  await until(page, `${hrefs}.length > 0`);
  const results = await page.ask<string[]>(hrefs);
  await page.press("Escape");
  return results;
}

async function until(page: Chromium, condition: string): Promise<void> {
  await expect
    .poll(() => page.ask<boolean>(condition).catch(() => false), { timeout: 15_000, interval: 20 })
    .toBe(true);
}

/** Returns the ids and names that links to a page can target. */
function anchorsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/ (?:id|name)="([^"]+)"/g)].map(([, id = ""]) => id));
}
