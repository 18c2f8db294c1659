// The parts of `npm run test:all`: the commands of each, what it tests, and the minutes that it usually takes on two cores. With cold
// kernel caches, parts that build kernels take about twice as long.
const node = (script, ...args) => ({ command: "node", args: [`scripts/${script}`, ...args] });
const tests = (level, projects, env = {}, files = []) => ({
  command: "vitest",
  args: ["run", ...projects.map((project) => `--project=${project}`), ...files],
  env: { CL_TEST_LEVEL: level, ...env },
});

/** The parts that together run every test of every package. */
export const fullParts = [
  ...Object.entries({
    array: 3,
    core: 4,
    docs: 1,
    launcher: 1,
    mpi: 4,
    tools: 1,
    characterize: 1,
    cli: 1,
    trace: 1,
    base: 1,
  }).map(([name, minutes]) => ({
    name,
    minutes,
    about: name === "docs" ? "the guide, the examples and the repository's own rules" : `every test of @cl/${name}`,
    steps: [tests("full", [name, `${name}:internal`])],
  })),
  { name: "types", minutes: 1, about: "the tests of types", steps: [tests("full", ["types"])] },
];

/** All parts, in the order in which they run. */
export const parts = [
  ...fullParts,
  {
    name: "installs",
    minutes: 3,
    about: "packed packages, installed in empty folders and used as docs/install.md describes",
    steps: [node("test-installs.mjs")],
  },
  {
    name: "built",
    minutes: 5,
    about: "the quick tests on the packed packages",
    steps: [node("test-built.mjs")],
  },
  {
    name: "site",
    minutes: 3,
    about: "the documentation site: builds it, and checks its links and pages in Chromium",
    steps: [node("../docs/scripts/site.mjs", "build"), tests("full", ["docs:internal"], {}, ["site"])],
  },
  {
    name: "random",
    minutes: 20,
    about: "the random tests with the seed of --seed, or a new one",
    usesSeed: true,
    steps: [tests("random", [])],
  },
  {
    name: "asan",
    minutes: 40,
    about: "the tests of core and mpi with addons built under AddressSanitizer",
    steps: [node("test-asan.mjs")],
  },
  {
    name: "oclgrind",
    minutes: 12,
    about: "the kernels of core and array on oclgrind, which finds invalid accesses and data races",
    steps: [node("test-oclgrind.mjs")],
  },
  {
    name: "pocl",
    minutes: 25,
    about: "@cl/pocl: builds its library (Debian 12), and runs its tests and quick tests of others on it",
    steps: [
      node("build-pocl.mjs"),
      tests("full", ["pocl"]),
      tests("quick", ["core", "launcher", "array"], { CL_LIBRARY_PATH: packagedLibrary() }),
    ],
  },
  {
    name: "arm64",
    minutes: 15,
    about: "@cl/pocl for arm64: builds its library (Debian 12), and runs its tests on an emulator",
    steps: [
      node("build-pocl.mjs", "--target", "linux-arm64"),
      tests("full", ["pocl"], {}, ["emulated-arm64", "library-files"]),
    ],
  },
  {
    name: "rootless",
    minutes: 5,
    about: "as root: the README's commands and installed packages as a user without rights, in a copy of the system",
    steps: [node("test-rootless.mjs")],
  },
  {
    name: "every",
    minutes: 60,
    about: "all cases of the files that list too many for a full run",
    steps: [tests("every", [])],
  },
];

function packagedLibrary() {
  return new URL(`../../packages/pocl-linux-${process.arch}/lib/libpocl.so`, import.meta.url).pathname;
}
