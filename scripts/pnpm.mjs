// `node scripts/pnpm.mjs <args>`: the pinned pnpm, for scripts that must work where only npm is installed.
import { pnpm } from "./lib/pnpm.mjs";

process.exitCode = pnpm(process.argv.slice(2)).ok ? 0 : 1;
