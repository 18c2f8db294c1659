// What each thread runs: it loads the addon, and makes a context and a queue of its own.
import { workerData } from "node:worker_threads";

import { CommandQueue, Context } from "@cl/core";

import { type Sweep, takePart } from "./sweep.js";

const { sweep, thread } = workerData as { readonly sweep: Sweep; readonly thread: number };
const queue = new CommandQueue(Context.create());
await takePart(queue, sweep, thread);
