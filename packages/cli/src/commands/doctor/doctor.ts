/** `clkit doctor`: what works, what does not, and what to do about it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Command, defineCommand, UsageError } from "../../command.js";
import { writeJson } from "../../json.js";
import { style } from "../../style.js";
import { checkDriver, checkIcdFiles, checkTogether } from "./check-drivers.js";
import { checkNode, checkRuntime } from "./check-runtime.js";
import { checkDeviceFiles } from "./device-files.js";
import { type Finding, findingText } from "./finding.js";
import { findIcdFiles } from "./icd-files.js";
import { type ProbeSurroundings, runProbe } from "./run-probe.js";

/** Looks for what keeps OpenCL from working. */
export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "looks for what keeps OpenCL from working here, and says how to mend it",
  usage: "[options]",
  options: {
    json: { type: "boolean", help: "the findings as JSON" },
    timeout: { type: "string", value: "SECONDS", help: "how long a driver may take: 60 if not said" },
  },
  notes: [
    "Drivers are tried in processes of their own: one that crashes or hangs is a finding.",
    "The exit code is 1 if something fails; warnings leave it at 0.",
  ],
  async run({ json = false, timeout = "60" }, _positionals, io) {
    const seconds = Number(timeout);
    if (!(seconds > 0 && seconds <= 3600)) {
      throw new UsageError(`--timeout needs seconds, above 0 and at most 3600, received "${timeout}".`);
    }
    const findings: Finding[] = [];
    for await (const finding of findAll({ env: io.env, timeout: seconds })) {
      findings.push(finding);
      if (!json) io.out.write(findingText(finding, io.out));
    }
    const count = (status: Finding["status"]): number => findings.filter((one) => one.status === status).length;
    const [failed, warned] = [count("fail"), count("warn")];
    if (json) writeJson(io, { findings, failed, warned });
    else if (failed === 0) io.out.write(`\n${style(io.out, "green", "OpenCL works here.")}\n`);
    else io.out.write(`\n${style(io.out, "red", `${failed} of ${findings.length} checks failed.`)}\n`);
    return failed === 0 ? 0 : 1;
  },
});

async function* findAll(surroundings: ProbeSurroundings): AsyncGenerator<Finding> {
  yield checkNode();
  const runtime = await runtimeFindings(surroundings);
  yield* runtime;
  const isLinux = process.platform === "linux";
  if (isLinux) yield* checkDeviceFiles();
  if (runtime.some(({ status }) => status === "fail")) return;
  // A library that is named may be no loader: then there are no drivers to be tried one by one.
  const hasFiles = isLinux && !surroundings.env["CL_LIBRARY_PATH"];
  if (hasFiles) {
    const icds = findIcdFiles(surroundings.env);
    yield checkIcdFiles(icds);
    // At once: each may take as long as it is given.
    const drivers = await Promise.all([...icds.files, ...icds.named].map((file) => checkDriver(file, surroundings)));
    yield* drivers.flatMap(({ findings }) => findings);
    // It would end this process in the same way, after the same time.
    if (drivers.some(({ isFatal }) => isFatal)) return;
  }
  yield* await checkTogether(!hasFiles, surroundings);
}

/** With a folder without drivers, so that only the OpenCL library itself is tried. */
async function runtimeFindings({ env, timeout }: ProbeSurroundings): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), "clkit-doctor-"));
  try {
    const alone = { ...env, OCL_ICD_VENDORS: folder, OCL_ICD_FILENAMES: undefined };
    return checkRuntime(await runProbe({ cache: true }, { env: alone, timeout }), env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
