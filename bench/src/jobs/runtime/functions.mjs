// Functions of float32 elements into existing memory.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const functions = ["sin", "exp", "log", "pow"].map((name) => ({
  name,
  size: "1e6",
  unit: "us",
  kind: "loop",
  environment: "default",
  multiple: 10,
  quickMultiple: 1,
  sides: sides(`${name}-1e6`, "system", "numpy"),
  target: [
    { times: 0.1, peer: "system" },
    { times: 1, peer: "numpy" },
  ],
}));
