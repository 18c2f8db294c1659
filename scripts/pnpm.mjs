// `node scripts/pnpm.mjs <args>` runs the pinned pnpm on machines that have only npm.
import { pnpm } from "./lib/pnpm.mjs";

process.exitCode = pnpm(process.argv.slice(2)).ok ? 0 : 1;
