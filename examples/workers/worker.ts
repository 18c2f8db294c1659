// The code of each thread. It loads the addon and creates a context and a queue.
import { workerData } from "node:worker_threads";

import { CommandQueue, Context } from "@cl/core";

import { type Sweep, takePart } from "./sweep.js";

const { sweep, thread } = workerData as { readonly sweep: Sweep; readonly thread: number };
const queue = new CommandQueue(Context.create());
await takePart(queue, sweep, thread);
