/** Maps launchers to their internal members, for lists and runs. */
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
  return members.get(launcher) as Member;
}
