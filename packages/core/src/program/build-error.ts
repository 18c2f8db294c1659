/** Errors of failed builds, compilations and links. */
import { type BuildDiagnostic, excerpt, isHeader, readDiagnostics, withoutWarnings } from "./build-diagnostics.js";
import type { Device } from "../platform/device.js";
import { OpenCLError, statusName } from "../binding/errors.js";

/** Input of a {@link BuildError}. */
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
 * Error thrown when a program cannot be built, compiled or linked. The message shows the first errors with their source
 * lines; {@link BuildError.logs} has the complete compiler output.
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
  /** Compiler output for each device. */
  readonly logs: ReadonlyMap<Device, string>;
  /** The options passed to the driver. */
  readonly options: string;
  /**
   * The messages parsed from the logs. At least one is an error: the whole log if none of its lines could be parsed as
   * an error.
   */
  readonly diagnostics: readonly BuildDiagnostic[];

  /** @internal */
  constructor(failure: BuildFailure) {
    const read = [...failure.logs].flatMap(([device, log]) => readDiagnostics(device, log));
    const isExplained = read.some(({ severity }) => severity === "error");
    const diagnostics = isExplained
      ? read.map((diagnostic) => withOrigin(diagnostic, failure))
      : [...read, ...unparsedErrors(failure)];
    super(statusName(failure.status), failure.status, failure.routine, describeFailure(failure, diagnostics));
    this.logs = failure.logs;
    this.options = failure.options;
    this.diagnostics = diagnostics;
  }
}

/** Returns whether a status is a failure of the compiler or linker, and not of the call. */
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
const maxErrors = 5;
const maxLogLength = 4000;

/** Returns the logs, or the status if they are empty, as errors. For logs without a parsable error. */
function unparsedErrors({ logs, status }: BuildFailure): readonly BuildDiagnostic[] {
  const nonEmpty = [...logs].filter(([, log]) => log.trim() !== "");
  return (nonEmpty.length === 0 ? [...logs] : nonEmpty).map(([device, log]) => {
    const text = endOf(withoutWarnings(device, log).trim() || log.trim());
    const message = text === "" ? `${statusName(status)}: the log is empty` : text;
    return { device, severity: "error", file: "", line: 0, column: 0, message };
  });
}

/** Returns the end of a long log, where compilers and linkers report the cause. */
function endOf(log: string): string {
  return log.length > maxLogLength ? `…${log.slice(-maxLogLength)}` : log;
}

/** Returns a diagnostic with the origin of its line, unless it is in a header. */
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
    const errors = diagnostics.filter((diagnostic) => diagnostic.device === device && diagnostic.severity === "error");
    for (const error of errors.slice(0, maxErrors)) {
      const place = error.line > 0 ? `${error.line}:${error.column}: ` : "";
      const origin = error.origin === undefined ? "" : ` (${error.origin})`;
      lines.push(`  ${place}error: ${error.message}${origin}`);
      if (source !== undefined) lines.push(...excerpt(error, source).map((line) => `  ${line}`));
    }
    if (errors.length > maxErrors) lines.push(`  and ${errors.length - maxErrors} more errors`);
  }
  if (lines.length === headLength) lines.push("the log is empty");
  return lines.join("\n");
}
