// Describes the machine, for the records.
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/**
 * @returns {string} processor, cores, memory, system, Node
 */
export function describeMachine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${processorName()}, ${cpus().length} cores, ${memory} GiB, ${system()}, Node ${process.version}`;
}

/** Returns the model of the processor. */
export function processorName() {
  return cpus()[0]?.model.trim() ?? process.arch;
}

function system() {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}
