/** Findings of the doctor. */
import type { Output } from "../../io.js";
import { style } from "../../style.js";

/** Result of a check. */
export interface Finding {
  /** Name of the check, such as `addon` or `driver pocl.icd`. */
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  /** The result, in a sentence. */
  readonly message: string;
  /** How to fix it: a command if one is enough. */
  readonly fix?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, status: "ok", message };
}

/** Returns a finding for something that works with restrictions. */
export function warn(check: string, message: string, fix: string): Finding {
  return { check, status: "warn", message, fix };
}

export function fail(check: string, message: string, fix: string): Finding {
  return { check, status: "fail", message, fix };
}

const colors = { ok: "green", warn: "yellow", fail: "red" } as const;

/** Formats a finding as text. */
export function findingText({ check, status, message, fix }: Finding, output: Output): string {
  const indented = (text: string): string => text.trimEnd().replaceAll("\n", "\n      ");
  const lines = [
    `${style(output, colors[status], status.padEnd(4))}  ${style(output, "bold", check)}: ${indented(message)}`,
  ];
  if (fix !== undefined) lines.push(`      ${style(output, "cyan", "fix:")} ${indented(fix)}`);
  return `${lines.join("\n")}\n`;
}
