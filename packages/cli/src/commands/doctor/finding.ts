/** What the doctor found. */
import type { Output } from "../../io.js";
import { style } from "../../style.js";

/** One thing that was looked at. */
export interface Finding {
  /** What was looked at, such as `addon` or `driver pocl.icd`. */
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  /** What was found, in a sentence. */
  readonly message: string;
  /** What to do about it; a command where one does it. */
  readonly fix?: string;
}

/** All is well. */
export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

/** It works, but not as well as it could. */
export function warn(check: string, message: string, fix: string): Finding {
  return { check, status: "warn", message, fix };
}

/** It does not work. */
export function fail(check: string, message: string, fix: string): Finding {
  return { check, status: "fail", message, fix };
}

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

/** A finding for people. */
export function findingText({ check, status, message, fix }: Finding, output: Output): string {
  const indented = (text: string): string => text.trimEnd().replaceAll("\n", "\n      ");
  const lines = [
    `${style(output, colors[status], status.padEnd(4))}  ${style(output, "bold", check)}: ${indented(message)}`,
  ];
  if (fix !== undefined) lines.push(`      ${style(output, "cyan", "fix:")} ${indented(fix)}`);
  return `${lines.join("\n")}\n`;
}
