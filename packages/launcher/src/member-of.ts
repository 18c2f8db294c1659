/** Maps launchers to their internal members, for lists and runs. */
import { wrongValue } from "@cl/base";
import { DisposedError } from "@cl/core";

import type { Member } from "./member.js";

/** The part of a launcher that is needed here. */
interface Owner {
  readonly released: boolean;
  toString(): string;
}

const members = new WeakMap<Owner, Member>();

export function setMember(launcher: Owner, member: Member): void {
  members.set(launcher, member);
}

/** Returns a launcher's member. Throws if the launcher has been released. */
export function memberOf(launcher: Owner): Member {
  if (launcher.released) throw new DisposedError(launcher.toString());
  const member = members.get(launcher);
  // Such as a proxy.
  if (member === undefined) {
    throw wrongValue(`${String(launcher)} must be a launcher itself, not an object derived from it`);
  }
  return member;
}
