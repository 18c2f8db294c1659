/** Parser for compiler logs: messages with their line and column. */
import type { Device } from "../platform/device.js";

/** A compiler message. */
export interface BuildDiagnostic {
  /** Target device of the compilation. */
  readonly device: Device;
  /** Severity of the message. */
  readonly severity: "error" | "warning" | "note";
  /** The compiler's name for the source or header; empty if unknown. */
  readonly file: string;
  /** Line number, from 1; 0 if unknown. */
  readonly line: number;
  /** Column number, from 1; 0 if unknown. */
  readonly column: number;
  /** Text of the message. */
  readonly message: string;
  /** Origin of the line, if the program's `origin` function returns one. */
  readonly origin?: string;
}

/** Returns the distinct messages in a log, in order. */
export function readDiagnostics(device: Device, log: string): BuildDiagnostic[] {
  const found = new Map<string, BuildDiagnostic>();
  for (const text of log.split(/\r?\n/)) {
    const diagnostic = readLine(device, text);
    // PoCL compiles twice and reports every message twice.
    if (diagnostic !== undefined && !found.has(text)) found.set(text, diagnostic);
  }
  return [...found.values()];
}

/** Returns a log without warnings, notes and LLVM's messages about debug information. */
export function withoutWarnings(device: Device, log: string): string {
  const lines = log.split(/\r?\n/).filter((line) => {
    const severity = readLine(device, line)?.severity ?? "error";
    return severity === "error" && line.trim() !== "" && !aboutDebugInfo.test(line);
  });
  return lines.join("\n");
}

/** Returns the source line of a diagnostic with a caret under the column; empty for a diagnostic in another file. */
export function excerpt(diagnostic: BuildDiagnostic, source: string): string[] {
  const text = source.split(/\r?\n/)[diagnostic.line - 1];
  if (text === undefined || isHeader(diagnostic.file, source)) return [];
  const number = String(diagnostic.line).padStart(5);
  const lines = [`${number} | ${text}`];
  if (diagnostic.column > 0 && diagnostic.column <= text.length + 1) {
    // Keep tabs, so that the caret is aligned in a terminal.
    lines.push(`${" ".repeat(number.length)} | ${text.slice(0, diagnostic.column - 1).replace(/[^\t]/g, " ")}^`);
  }
  return lines;
}

const severities = "fatal error|fatal|error|warning|note|remark";

// The file may be absent, quoted, or contain colons: C:\a.cl, <kernel>, <program source>, /tmp/x.cl
const forms: readonly RegExp[] = [
  // clang, NVIDIA, Intel, Apple: file:3:14: error: text
  new RegExp(
    `^(?<file>.*?):?(?<line>\\d+):(?<column>\\d+):(?:\\{[^}]*\\}:?)* *(?<severity>${severities}) *: *(?<message>.*)$`,
  ),
  // PoCL: error: file:3:14 <Spelling=...>: text
  new RegExp(
    `^(?<severity>${severities}) *: (?<file>.*?):?(?<line>\\d+):(?<column>\\d+)(?: <Spelling=.*>)?: *(?<message>.*)$`,
  ),
  // Older AMD compilers: "file", line 3: error: text
  new RegExp(`^"(?<file>[^"]*)", line (?<line>\\d+): *(?<severity>${severities}) *: *(?<message>.*)$`),
  // PoCL's linker, and its check of options.
  /^(?<message>Cannot find symbol .* in kernel library|Invalid build option: .*)$/,
  // Linkers and assemblers report no location: ptxas error : text
  new RegExp(`^(?:\\w+ )?(?<severity>${severities}) *: *(?<message>.*)$`),
];

// LLVM's verifier prints an instruction on the next line.
const aboutDebugInfo = /debug info|!dbg\b|^\s+(?:%\S+ = )?(?:tail |musttail |notail )?call /i;

function readLine(device: Device, text: string): BuildDiagnostic | undefined {
  for (const form of forms) {
    const groups = form.exec(text.trimEnd())?.groups;
    if (groups === undefined) continue;
    const severity = groups["severity"] ?? "error";
    return {
      device,
      severity: /error|fatal/.test(severity) ? "error" : severity === "warning" ? "warning" : "note",
      file: groups["file"] ?? "",
      line: Number(groups["line"] ?? 0),
      column: Number(groups["column"] ?? 0),
      message: groups["message"] ?? "",
    };
  }
  return undefined;
}

/**
 * Returns whether a file is a header. Drivers name the program's source differently; header names occur in the source.
 */
export function isHeader(file: string, source: string): boolean {
  const name = file.split(/[/\\]/).pop() ?? "";
  if (name === "") return false;
  if (/\.(h|hpp|clh|cuh|inc)$/i.test(name)) return true;
  return source.split("\n").some((line) => /^\s*#\s*include/.test(line) && line.includes(name));
}
