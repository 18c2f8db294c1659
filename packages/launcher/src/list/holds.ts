/** Keeps members usable until pending launches that have not enqueued them yet have done so. */
import type { Member } from "../member.js";

interface Hold {
  count: number;
  /** Whether the member was released meanwhile. */
  isDue: boolean;
}

const holds = new WeakMap<Member, Hold>();

/** Defers the release of members, and of their members. Returns a function that ends this. */
export function holdMembers(members: readonly Member[]): () => void {
  const all = new Set<Member>();
  const add = (member: Member): void => {
    if (all.has(member)) return;
    all.add(member);
    for (const inner of member.members ?? []) add(inner);
  };
  for (const member of members) add(member);
  for (const member of all) {
    const hold = holds.get(member);
    if (hold === undefined) holds.set(member, { count: 1, isDue: false });
    else hold.count++;
  }
  return () => {
    for (const member of all) {
      const hold = holds.get(member) as Hold;
      if (--hold.count > 0) continue;
      holds.delete(member);
      if (hold.isDue) member.release();
    }
  };
}

/** Releases a member, or lets the last pending launch do so. */
export function releaseMember(member: Member): void {
  const hold = holds.get(member);
  if (hold === undefined) member.release();
  else hold.isDue = true;
}
