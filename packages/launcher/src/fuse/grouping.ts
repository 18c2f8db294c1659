/**
 * Which members of a list may run as one kernel.
 *
 * Element i of one operation runs right after element i of the one before it, and before element i + 1 of that. So what an
 * operation writes, and another of the group reads or writes, both must use at element i only, and at the same place in
 * memory. Where that is not proved, the group ends.
 */
import { bytesByName } from "@cl/base";

import type { Member } from "../member.js";
import { ElementwiseMember } from "./elementwise-member.js";
import { type ArrayUse, clash, usesOf } from "./array-use.js";

/** Members that go together. */
export interface Group {
  readonly members: readonly Member[];
  /** Why it is not one with the group before it. */
  readonly apart: string | undefined;
}

/** Groups of consecutive members, as large as possible. */
export function grouped(members: readonly Member[]): readonly Group[] {
  const groups: { members: Member[]; apart: string | undefined }[] = [];
  for (const member of members) {
    const group = groups.at(-1);
    const apart = group === undefined ? undefined : reasonApart(group.members, member);
    if (group !== undefined && apart === undefined) group.members.push(member);
    else groups.push({ members: [member], apart });
  }
  return groups;
}

/** Why a member cannot follow these in one kernel; undefined if it can. */
function reasonApart(before: readonly Member[], member: Member): string | undefined {
  const strange = [before.at(-1) as Member, member].find((one) => !(one instanceof ElementwiseMember));
  if (strange !== undefined) return `${strange.words} is not element-wise`;
  const [group, next] = [before as readonly ElementwiseMember[], member as ElementwiseMember];
  const [first] = group as readonly [ElementwiseMember, ...ElementwiseMember[]];
  if (!first.context.equals(next.context)) return `${next.words} is of another context`;
  if (first.length !== next.length) {
    return `${next.words} works on ${next.length} elements, ${first.words} on ${first.length}`;
  }
  if (first.local !== next.local) return `${next.words} has groups of ${next.local}, ${first.words} of ${first.local}`;
  if (first.operation.preamble.text !== next.operation.preamble.text) {
    return `${next.words} has another preamble than ${first.words}`;
  }
  if (next.operation.preamble.hasVariables) return `${next.words} has variables in its preamble`;
  const jumping = [...group, next].find(({ operation }) => operation.jumps);
  if (jumping !== undefined) return `${jumping.words} has labels`;
  return typesApart(group, next) ?? memoryApart(group, next) ?? sizeApart(group, next);
}

/** A parameter is one argument of the kernel. */
function typesApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  for (const { name, index } of next.slots) {
    const type = next.operation.operands[index]?.type;
    for (const one of group) {
      const slot = one.slots.find((other) => other.name === name);
      const other = slot === undefined ? type : one.operation.operands[slot.index]?.type;
      if (other !== type) return `parameter "${name}" of ${next.words} is of type ${type}, of ${one.words} ${other}`;
    }
  }
  return undefined;
}

function memoryApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  const uses = usesOf(next);
  if (typeof uses === "string") return uses;
  for (const one of group) {
    const others = usesOf(one);
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
  if (!clash(a, b)) return undefined;
  const both = `"${a.operand.name}" of ${a.member.words} and "${b.operand.name}" of ${b.member.words}`;
  if (a.start !== b.start || a.operand.type !== b.operand.type) {
    return `${both} overlap without being the same elements, and one is written`;
  }
  const free = [a, b].find(({ elementwise }) => !elementwise);
  if (free === undefined) return undefined;
  const other = free === a ? b : a;
  const what = free.writes && !other.writes ? "used" : other.writes ? "written" : "read";
  return `${free.member.words} uses "${free.operand.name}" elsewhere than at element i, where "${other.operand.name}" of ${other.member.words} is ${what}`;
}

/** Drivers need not take more arguments than 1024 bytes. */
function sizeApart(group: readonly ElementwiseMember[], next: ElementwiseMember): string | undefined {
  const most = Math.min(...next.context.devices.map(({ maxParameterSize }) => maxParameterSize));
  const operands = [...group, next].flatMap(({ operation }) => operation.operands);
  const bytes = operands.reduce(
    (sum, { array, type }) => sum + (array ? 8 : Math.max(8, bytesByName(type) ?? most)),
    8,
  );
  return bytes > most ? `with ${next.words} the kernel would have more than ${most} bytes of arguments` : undefined;
}
