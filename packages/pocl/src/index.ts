/**
 * `import "@cl/pocl"` adds PoCL, an OpenCL driver for CPUs, to the platforms that `@cl/core` lists. The package exports
 * nothing.
 */
import { activate } from "./activate.js";

activate();
