/** The error of a build, compilation or link that the compiler refused. */
import { type BuildDiagnostic, excerpt, isHeader, readDiagnostics, withoutWarnings } from "./build-diagnostics.js";
import type { Device } from "../platform/device.js";
import { OpenCLError, statusName } from "../binding/errors.js";

/** What a {@link BuildError} is made of. */
export interface BuildFailure {
  readonly status: number;
  readonly routine: string;
  readonly options: string;
  readonly logs: ReadonlyMap<Device, string>;
  readonly source?: string | undefined;
  readonly label?: string | undefined;
  readonly origin?: ((line: number) => string | undefined) | undefined;
}

/**
 * A program that could not be built, compiled or linked. The message shows the first errors with the lines they are
 * about; everything the compiler said is in {@link BuildError.logs}.
 *
 * @example
 * ```ts
 * try {
 *   await program.build();
 * } catch (error) {
 *   if (error instanceof BuildError) for (const { line, message } of error.diagnostics) console.log(line, message);
 * }
 * ```
 */
export class BuildError extends OpenCLError {
  /** What the compiler said for each device. */
  readonly logs: ReadonlyMap<Device, string>;
  /** The options as the driver got them. */
  readonly options: string;
  /**
   * The messages in the logs that could be read: where they point and what they say. At least one is an error: the
   * whole log if none of its lines could be read as one.
   */
  readonly diagnostics: readonly BuildDiagnostic[];

  /** @internal */
  constructor(failure: BuildFailure) {
    const read = [...failure.logs].flatMap(([device, log]) => readDiagnostics(device, log));
    const isExplained = read.some(({ severity }) => severity === "error");
    const diagnostics = isExplained ? read.map((one) => withOrigin(one, failure)) : [...read, ...unreadErrors(failure)];
    super(statusName(failure.status), failure.status, failure.routine, describeFailure(failure, diagnostics));
    this.logs = failure.logs;
    this.options = failure.options;
    this.diagnostics = diagnostics;
  }
}

/** True for the statuses that mean "the compiler or linker said no"; all others are about the call. */
export function isBuildFailure(status: number): boolean {
  return buildFailures.has(statusName(status));
}

const buildFailures = new Set([
  "CL_BUILD_PROGRAM_FAILURE",
  "CL_COMPILE_PROGRAM_FAILURE",
  "CL_LINK_PROGRAM_FAILURE",
  "CL_INVALID_BUILD_OPTIONS",
  "CL_INVALID_COMPILER_OPTIONS",
  "CL_INVALID_LINKER_OPTIONS",
]);

const verbs: Readonly<Record<string, string>> = {
  clBuildProgram: "building",
  clCompileProgram: "compiling",
  clLinkProgram: "linking",
};
const mostShown = 5;
const longestLog = 4000;

/** What is said instead of errors that could not be read: the logs, or the status if there are none. */
function unreadErrors({ logs, status }: BuildFailure): readonly BuildDiagnostic[] {
  const given = [...logs].filter(([, log]) => log.trim() !== "");
  return (given.length === 0 ? [...logs] : given).map(([device, log]) => {
    const text = shortened(withoutWarnings(device, log).trim() || log.trim());
    const message = text === "" ? `${statusName(status)}: the runtime gave no log` : text;
    return { device, severity: "error", file: "", line: 0, column: 0, message };
  });
}

/** The end of a long log, where compilers and linkers say why they failed. */
function shortened(log: string): string {
  return log.length > longestLog ? `…${log.slice(-longestLog)}` : log;
}

/** Headers have lines of their own. */
function withOrigin(diagnostic: BuildDiagnostic, { source, origin }: BuildFailure): BuildDiagnostic {
  if (source === undefined || origin === undefined || diagnostic.line === 0) return diagnostic;
  if (isHeader(diagnostic.file, source)) return diagnostic;
  const from = origin(diagnostic.line);
  return from === undefined ? diagnostic : { ...diagnostic, origin: from };
}

function describeFailure(failure: BuildFailure, diagnostics: readonly BuildDiagnostic[]): string {
  const { status, routine, options, logs, source, label } = failure;
  const what = label === undefined ? "the program" : `program "${label}"`;
  const lines = [`${verbs[routine] ?? routine} ${what} failed: ${statusName(status)} (${status})`];
  if (options !== "") lines.push(`options: ${options}`);
  const headLength = lines.length;
  for (const [device, log] of logs) {
    if (log.trim() === "") continue;
    lines.push(`for '${device.name}':`);
    const errors = diagnostics.filter((one) => one.device === device && one.severity === "error");
    for (const error of errors.slice(0, mostShown)) {
      const place = error.line > 0 ? `${error.line}:${error.column}: ` : "";
      const origin = error.origin === undefined ? "" : ` (${error.origin})`;
      lines.push(`  ${place}error: ${error.message}${origin}`);
      if (source !== undefined) lines.push(...excerpt(error, source).map((line) => `  ${line}`));
    }
    if (errors.length > mostShown) lines.push(`  and ${errors.length - mostShown} more errors`);
  }
  if (lines.length === headLength) lines.push("the runtime gave no log");
  return lines.join("\n");
}
