/** The documentation site: `npm run docs` builds it, `npm run docs:dev` serves it with live reload. */
import { relative } from "node:path";
import { defineConfig } from "vitepress";

import { describe } from "./description.js";
import { breakInlineCode, lineBreaks, siteLinks } from "./links.js";
import { landingPage } from "./landing-page.js";
import { addressOf, excluded, repository } from "./pages.js";
import { search } from "./search.js";
import { guideSidebar, referenceSidebar } from "./sidebar.js";

const icon =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%230b6a8f'/>" +
  "<path d='M7 22V10h6M18 10v12h7' fill='none' stroke='white' stroke-width='3'/></svg>";

export default defineConfig({
  title: "@cl",
  description: "OpenCL for Node.js",
  lang: "en",
  // The base path if the site is not at the root of its host.
  base: process.env["DOCS_BASE"] ?? "/",
  srcDir: "..",
  srcExclude: [...excluded],
  rewrites: addressOf,
  outDir: "build/site",
  cacheDir: "build/vitepress",
  // Data that all pages share is stored once instead of in each page.
  metaChunk: true,
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${icon}` }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (markdown) => {
      lineBreaks(markdown);
      breakInlineCode(markdown);
      siteLinks(markdown, (file) => relative(repository, file).replaceAll("\\", "/"));
    },
  },
  transformPageData: (page) => ({
    description: describe(page.filePath),
    ...(page.relativePath === "index.md" && { frontmatter: landingPage }),
  }),
  vite: { build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/guide", activeMatch: "^/(?!$|index|api/|coming-from|examples/)" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      {
        text: "Coming from",
        items: [
          { text: "NumPy and CuPy", link: "/coming-from-numpy" },
          { text: "CUDA", link: "/coming-from-cuda" },
          { text: "WebGPU", link: "/coming-from-webgpu" },
          { text: "PyOpenCL", link: "/coming-from-pyopencl" },
          { text: "opencl-for-python", link: "/coming-from-opencl-for-python" },
          { text: "hysop", link: "/coming-from-hysop" },
        ],
      },
      { text: "Examples", link: "/examples/", activeMatch: "^/examples/" },
    ],
    sidebar: { "/": guideSidebar(), "/api/": referenceSidebar() },
    outline: { level: [2, 3] },
    search,
    docFooter: { prev: "Previous", next: "Next" },
  },
});
