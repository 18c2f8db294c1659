#!/usr/bin/env node
/** The command `clkit`. */
import { processIo } from "./io.js";
import { clkit } from "./main.js";

process.exitCode = await clkit(process.argv.slice(2), processIo());
