/** What the site's first page has above the text of the README. */
export const landingPage = {
  layout: "home",
  hero: {
    name: "@cl",
    text: "OpenCL for Node.js",
    tagline: "Arrays, kernels and simulations on any CPU or GPU",
    actions: [
      { theme: "brand", text: "Install", link: "/install" },
      { theme: "alt", text: "Arrays", link: "/arrays" },
      { theme: "alt", text: "Kernels", link: "/getting-started" },
      { theme: "alt", text: "Simulations", link: "/launchers" },
    ],
  },
};
