/** Memory of an operation's arrays. */
import { wrongValue } from "@cl/base";
import { DeviceBuffer, memoryRange } from "@cl/core";

import type { ElementwiseMember } from "./elementwise-member.js";
import type { Operand } from "./signature.js";

/** An array of a member and how the member uses it. */
export interface ArrayUse {
  readonly member: ElementwiseMember;
  readonly operand: Operand;
  readonly store: object;
  readonly start: number;
  readonly end: number;
  readonly writes: boolean;
  readonly elementwise: boolean;
}

/** Whether two uses overlap in memory and at least one writes. */
export function conflicts(a: ArrayUse, b: ArrayUse): boolean {
  return (a.writes || b.writes) && a.store === b.store && a.start < b.end && b.start < a.end;
}

/** Returns the array uses of a member, or a message why they are unknown. */
export function usesOf(member: ElementwiseMember): readonly ArrayUse[] | string {
  const { displayName } = member;
  const unknown = member.operation.operands.flatMap(({ name, array }, i) => {
    const value = member.args[i];
    if (!array) return [];
    if (member.slots.some(({ index }) => index === i)) return `${displayName} receives "${name}" with each launch`;
    if (!(value instanceof DeviceBuffer)) return `"${name}" of ${displayName} is not a DeviceBuffer`;
    return value.released ? `"${name}" of ${displayName} has been released` : [];
  });
  return unknown[0] ?? knownUses(member);
}

/** Throws if two arrays of a member overlap and one is written: its elements would have two values until they are stored. */
export function checkNoOverlap(member: ElementwiseMember): void {
  const uses = knownUses(member);
  for (const [i, a] of uses.entries()) {
    const b = uses.slice(i + 1).find((other) => conflicts(a, other));
    if (b === undefined) continue;
    throw wrongValue(
      `options.args must not overlap: "${a.operand.name}" and "${b.operand.name}" share memory and one is written; use one name for it`,
    );
  }
}

/** Returns the uses of arguments that are buffers. */
function knownUses(member: ElementwiseMember): readonly ArrayUse[] {
  const { operands, elementwise } = member.operation;
  return operands.flatMap((operand, i) => {
    const value = member.args[i];
    if (!operand.array || !(value instanceof DeviceBuffer)) return [];
    const writes = !operand.constant;
    return [{ member, operand, ...memoryRange(value), writes, elementwise: elementwise.has(operand.name) }];
  });
}
