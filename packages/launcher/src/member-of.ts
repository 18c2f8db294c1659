/** The working halves of launchers, for lists and runs. */
import { DisposedError } from "@cl/core";

import type { Member } from "./member.js";

/** A launcher, as far as it matters here. */
interface Owner {
  readonly released: boolean;
  toString(): string;
}

const members = new WeakMap<Owner, Member>();

/** Makes a member that of a launcher. */
export function setMember(launcher: Owner, member: Member): void {
  members.set(launcher, member);
}

/** A launcher's member; throws if the launcher has been released. */
export function memberOf(launcher: Owner): Member {
  if (launcher.released) throw new DisposedError(launcher.toString());
  return members.get(launcher) as Member;
}
