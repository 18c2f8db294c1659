/** Reads compilers' logs: which line and column of the source each message is about. */
import type { Device } from "../platform/device.js";

/** One message of a compiler. */
export interface BuildDiagnostic {
  /** The device that was compiled for. */
  readonly device: Device;
  /** How bad it is. */
  readonly severity: "error" | "warning" | "note";
  /** The compiler's name for the source or header; empty where it gave none. */
  readonly file: string;
  /** From 1; 0 where the compiler gave none. */
  readonly line: number;
  /** From 1; 0 where the compiler gave none. */
  readonly column: number;
  /** What it said. */
  readonly message: string;
  /** Where the line comes from, if the program was made with an `origin` and that says so. */
  readonly origin?: string;
}

/** The messages in a log, each once, in the log's order. */
export function readDiagnostics(device: Device, log: string): BuildDiagnostic[] {
  const found = new Map<string, BuildDiagnostic>();
  for (const text of log.split(/\r?\n/)) {
    const diagnostic = readLine(device, text);
    // PoCL compiles twice and says everything twice.
    if (diagnostic !== undefined && !found.has(text)) found.set(text, diagnostic);
  }
  return [...found.values()];
}

/** A log without what is no error: warnings and notes, and what LLVM says of debug information in any program. */
export function withoutWarnings(device: Device, log: string): string {
  const lines = log.split(/\r?\n/).filter((line) => {
    const severity = readLine(device, line)?.severity ?? "error";
    return severity === "error" && line.trim() !== "" && !aboutDebugInfo.test(line);
  });
  return lines.join("\n");
}

/** The lines of `source` that a diagnostic is about, with a caret under the column; nothing if it is about another file. */
export function excerpt(diagnostic: BuildDiagnostic, source: string): string[] {
  const text = source.split(/\r?\n/)[diagnostic.line - 1];
  if (text === undefined || isHeader(diagnostic.file, source)) return [];
  const number = String(diagnostic.line).padStart(5);
  const lines = [`${number} | ${text}`];
  if (diagnostic.column > 0 && diagnostic.column <= text.length + 1) {
    // Tabs stay tabs, so that the caret stands where the terminal puts the character.
    lines.push(`${" ".repeat(number.length)} | ${text.slice(0, diagnostic.column - 1).replace(/[^\t]/g, " ")}^`);
  }
  return lines;
}

const severities = "fatal error|fatal|error|warning|note|remark";

// The file may be absent, quoted, or have colons of its own: C:\a.cl, <kernel>, <program source>, /tmp/x.cl
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
  // Linkers and assemblers know no place: ptxas error : text
  new RegExp(`^(?:\\w+ )?(?<severity>${severities}) *: *(?<message>.*)$`),
];

// LLVM's verifier names an instruction below.
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

/** Every driver has another name for the program's own text; but the names of its headers stand in it. */
export function isHeader(file: string, source: string): boolean {
  const name = file.split(/[/\\]/).pop() ?? "";
  if (name === "") return false;
  if (/\.(h|hpp|clh|cuh|inc)$/i.test(name)) return true;
  return source.split("\n").some((line) => /^\s*#\s*include/.test(line) && line.includes(name));
}
