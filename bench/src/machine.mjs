// Describes the machine, for the records.
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/**
 * @returns {string} processor, cores, memory, system, Node
 */
export function describeMachine() {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = processors[0]?.model.trim() ?? process.arch;
  return `${model}, ${processors.length} cores, ${memory} GiB, ${system()}, Node ${process.version}`;
}

function system() {
  try {
    return /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? process.platform;
  } catch {
    return process.platform;
  }
}
