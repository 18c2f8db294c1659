/**
 * Finds the members of a list that can run as one kernel.
 *
 * In a fused kernel, element i of an operation runs right after element i of the previous operation, and before its element
 * i + 1. So if an operation writes an array that another one reads or writes, both must access it only at element i and at the
 * same address. A group ends where this cannot be proved.
 */
import { bytesByName } from "@cl/base";

import type { Member } from "../member.js";
import { ElementwiseMember } from "./elementwise-member.js";
import { type ArrayUse, conflicts, usesOf } from "./array-use.js";

/** Members that can be fused. */
export interface Group {
  readonly members: readonly Member[];
  /** Why it cannot be fused with the previous group. */
  readonly apart: string | undefined;
}

/** Splits members into the largest possible groups of consecutive fusible members. */
export function groupFusible(members: readonly Member[]): readonly Group[] {
  const groups: { members: Member[]; apart: string | undefined }[] = [];
  for (const member of members) {
    const group = groups.at(-1);
    const apart = group === undefined ? undefined : reasonApart(group.members, member);
    if (group !== undefined && apart === undefined) group.members.push(member);
    else groups.push({ members: [member], apart });
  }
  return groups;
}

/** Returns why a member cannot be fused with the members before it; `undefined` if it can. */
function reasonApart(before: readonly Member[], member: Member): string | undefined {
  const other = [before.at(-1) as Member, member].find((member) => !(member instanceof ElementwiseMember));
  if (other !== undefined) return `${other.displayName} is not element-wise`;
  const [group, next] = [before as readonly ElementwiseMember[], member as ElementwiseMember];
  const [first] = group as readonly [ElementwiseMember, ...ElementwiseMember[]];
  if (!first.context.equals(next.context)) return `${next.displayName} belongs to another context`;
  if (first.length !== next.length) {
    return `${next.displayName} has ${next.length} elements, ${first.displayName} has ${first.length}`;
  }
  if (first.local !== next.local) {
    return `${next.displayName} has a work-group size of ${next.local}, ${first.displayName} of ${first.local}`;
  }
  if (first.operation.preamble.text !== next.operation.preamble.text) {
    return `${next.displayName} has a different preamble than ${first.displayName}`;
  }
  if (next.operation.preamble.hasVariables) return `${next.displayName} declares variables in its preamble`;
  const jumping = [...group, next].find(({ operation }) => operation.jumps);
  if (jumping !== undefined) return `${jumping.displayName} contains labels`;
  return typesApart(group, next) ?? memoryApart(group, next) ?? sizeApart(group, next);
}

/** Checks that parameters of one name have the same type, since they become one argument. */
function typesApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  for (const { name, index } of next.slots) {
    const type = next.operation.operands[index]?.type;
    for (const member of group) {
      const slot = member.slots.find((other) => other.name === name);
      const other = slot === undefined ? type : member.operation.operands[slot.index]?.type;
      if (other !== type) {
        return `parameter "${name}" has type ${type} in ${next.displayName} and ${other} in ${member.displayName}`;
      }
    }
  }
  return undefined;
}

function memoryApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  const uses = usesOf(next);
  if (typeof uses === "string") return uses;
  for (const member of group) {
    const others = usesOf(member);
    if (typeof others === "string") return others;
    for (const a of others) {
      for (const b of uses) {
        const reason = conflict(a, b);
        if (reason !== undefined) return reason;
      }
    }
  }
  return undefined;
}

function conflict(a: ArrayUse, b: ArrayUse): string | undefined {
  if (!conflicts(a, b)) return undefined;
  const both = `"${a.operand.name}" of ${a.member.displayName} and "${b.operand.name}" of ${b.member.displayName}`;
  if (a.start !== b.start || a.operand.type !== b.operand.type) {
    return `${both} partially overlap, and one is written`;
  }
  const free = [a, b].find(({ elementwise }) => !elementwise);
  if (free === undefined) return undefined;
  const other = free === a ? b : a;
  const access = free.writes && !other.writes ? "used" : other.writes ? "written" : "read";
  return `${free.member.displayName} accesses "${free.operand.name}" at other elements than i, where "${other.operand.name}" of ${other.member.displayName} is ${access}`;
}

/** Checks the size of the arguments: drivers are only required to support 1024 bytes. */
function sizeApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  const maxBytes = Math.min(...next.context.devices.map(({ maxParameterSize }) => maxParameterSize));
  const operands = [...group, next].flatMap(({ operation }) => operation.operands);
  const bytes = operands.reduce(
    (sum, { array, type }) => sum + (array ? 8 : Math.max(8, bytesByName(type) ?? maxBytes)),
    8,
  );
  return bytes > maxBytes
    ? `with ${next.displayName} the arguments of the kernel would exceed ${maxBytes} bytes`
    : undefined;
}
