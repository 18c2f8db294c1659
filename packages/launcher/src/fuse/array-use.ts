/** Which memory an operation's arrays are. */
import { wrongValue } from "@cl/base";
import { DeviceBuffer, memoryRange } from "@cl/core";

import type { ElementwiseMember } from "./elementwise-member.js";
import type { Operand } from "./signature.js";

/** An array of a member, and how it is used. */
export interface ArrayUse {
  readonly member: ElementwiseMember;
  readonly operand: Operand;
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
  readonly elementwise: boolean;
}

/** True if both have some memory, and one writes it. */
export function clash(a: ArrayUse, b: ArrayUse): boolean {
  return (a.writes || b.writes) && a.store === b.store && a.start < b.end && b.start < a.end;
}

/** The arrays of a member; or why they are not known. */
export function usesOf(member: ElementwiseMember): readonly ArrayUse[] | string {
  const { words } = member;
  const unknown = member.operation.operands.flatMap(({ name, array }, i) => {
    const value = member.args[i];
    if (!array) return [];
    if (member.slots.some(({ index }) => index === i)) return `${words} takes "${name}" with each launch`;
    if (!(value instanceof DeviceBuffer)) return `"${name}" of ${words} is no DeviceBuffer`;
    return value.released ? `"${name}" of ${words} has been released` : [];
  });
  return unknown[0] ?? knownUses(member);
}

/** Throws if two arrays of a member are one memory: an element that is written would have two values until it is stored. */
export function checkApart(member: ElementwiseMember): void {
  const uses = knownUses(member);
  for (const [i, a] of uses.entries()) {
    const b = uses.slice(i + 1).find((other) => clash(a, other));
    if (b === undefined) continue;
    throw wrongValue(
      `options.args has memory in common for "${a.operand.name}" and "${b.operand.name}", and one is written: use one name for it`,
    );
  }
}

/** Those that are buffers. */
function knownUses(member: ElementwiseMember): readonly ArrayUse[] {
  const { operands, elementwise } = member.operation;
  return operands.flatMap((operand, i) => {
    const value = member.args[i];
    if (!operand.array || !(value instanceof DeviceBuffer)) return [];
    const writes = !operand.constant;
    return [{ member, operand, ...memoryRange(value), writes, elementwise: elementwise.has(operand.name) }];
  });
}
