/** `clkit doctor`: diagnoses the OpenCL installation. */
import { type Command, defineCommand, UsageError } from "../../command.js";
import { writeJson } from "../../json.js";
import { style } from "../../style.js";
import { checkDriver, checkIcdFiles, checkTogether } from "./check-drivers.js";
import { checkPocl } from "./check-pocl.js";
import { checkNode, checkRuntime, checkTemporaryFolder } from "./check-runtime.js";
import { checkDeviceFiles } from "./device-files.js";
import { type Finding, findingText, warn } from "./finding.js";
import { findIcdFiles } from "./icd-files.js";
import { installLoader } from "./remedies.js";
import { type ProbeOptions, runProbe } from "./run-probe.js";
import { withoutDrivers } from "./without-drivers.js";

export const doctor: Command = defineCommand({
  name: "doctor",
  summary: "diagnose the OpenCL installation and suggest fixes",
  usage: "[options]",
  options: {
    json: { type: "boolean", help: "print the findings as JSON" },
    timeout: { type: "string", value: "SECONDS", help: "time limit for each driver (default: 60)" },
  },
  notes: [
    "Each driver is tested in a separate process, so that one that crashes or hangs is reported as a finding.",
    "The exit code is 1 if a check fails; warnings do not change it.",
  ],
  async run({ json = false, timeout = "60" }, _positionals, io) {
    const seconds = Number(timeout);
    if (!(seconds > 0 && seconds <= 3600)) {
      throw new UsageError(`--timeout must be a number of seconds above 0 and at most 3600, received "${timeout}".`);
    }
    const findings: Finding[] = [];
    for await (const finding of findAll({ env: io.env, timeout: seconds })) {
      findings.push(finding);
      if (!json) io.out.write(findingText(finding, io.out));
    }
    const count = (status: Finding["status"]): number => findings.filter((each) => each.status === status).length;
    const [failed, warned] = [count("fail"), count("warn")];
    if (json) writeJson(io, { findings, failed, warned });
    else if (failed === 0) io.out.write(`\n${style(io.out, "green", "OpenCL works.")}\n`);
    else io.out.write(`\n${style(io.out, "red", `${failed} of ${findings.length} checks failed.`)}\n`);
    return failed === 0 ? 0 : 1;
  },
});

async function* findAll(options: ProbeOptions): AsyncGenerator<Finding> {
  yield checkNode();
  const pocl = await checkPocl(options);
  const runtime = await runtimeFindings(options, pocl.works);
  yield* runtime;
  const isLinux = process.platform === "linux";
  if (isLinux) yield* checkDeviceFiles();
  if (runtime.some(({ status }) => status === "fail")) return;
  yield* pocl.findings;
  // CL_LIBRARY_PATH may name a driver instead of a loader: then there are no separate drivers to test.
  const hasLoader = runtime.some(({ check, status }) => check === "OpenCL library" && status === "ok");
  const hasFiles = isLinux && hasLoader && !options.env["CL_LIBRARY_PATH"];
  const temporaryFolder = hasFiles ? checkTemporaryFolder() : [];
  // Each driver is tested with a temporary folder of driver files.
  const testsEach = hasFiles && temporaryFolder.length === 0;
  if (hasFiles) {
    const icds = findIcdFiles(options.env);
    yield checkIcdFiles(icds);
    yield* temporaryFolder;
    if (testsEach) {
      // In parallel: each may take up to the timeout.
      const drivers = await Promise.all([...icds.files, ...icds.listed].map((file) => checkDriver(file, options)));
      yield* drivers.flatMap(({ findings }) => findings);
      // The check of all drivers together would fail in the same way.
      if (drivers.some(({ isFatal }) => isFatal)) return;
    }
  }
  yield* await checkTogether(!testsEach, options);
}

/** Probes without drivers, so that only the addon, the cache folder and the OpenCL library are tested. */
async function runtimeFindings({ env, timeout }: ProbeOptions, poclWorks: boolean): Promise<readonly Finding[]> {
  const probe = await runProbe({ cache: true }, { env: withoutDrivers(env), timeout });
  const findings = checkRuntime(probe, env);
  // Without CL_LIBRARY_PATH, a program needs no OpenCL library of the system if @cl/pocl works.
  if (env["CL_LIBRARY_PATH"] || !poclWorks) return findings;
  return findings.map((finding) =>
    finding.check === "OpenCL library" && finding.status === "fail"
      ? warn(finding.check, finding.message, `For programs that do not import @cl/pocl: ${installLoader(false)}`)
      : finding,
  );
}
