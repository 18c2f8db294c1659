/** Fuses the members of a list and reports the result. */
import type { Program } from "@cl/core";

import type { ListMember } from "../list/list-member.js";
import { prefixError } from "../member.js";
import type { ElementwiseMember } from "./elementwise-member.js";
import { planFused } from "./fused-member.js";
import { groupFusible } from "./grouping.js";

/** Members of a list that run as one kernel, or a member that is not fused. */
export interface Fusion {
  /** Names of the members, as in errors. */
  readonly members: readonly string[];
  readonly fused: boolean;
  /** Why they cannot be fused with the members before them. */
  readonly apart?: string;
  /** Source of the kernel, if fused. */
  readonly source?: string;
}

/** Fused kernels that are not built yet. */
export interface FusionPlan {
  readonly programs: readonly Program[];
  /** Replaces the members by the fused kernels. Requires all programs to be built. */
  readonly apply: () => readonly Fusion[];
}

export function planFusion(list: ListMember): FusionPlan {
  let first = 0;
  const groups = groupFusible(list.members).map(({ members, apart }) => {
    const at = first;
    first += members.length;
    const plan = members.length > 1 ? planFused(members as [ElementwiseMember, ElementwiseMember]) : undefined;
    return { first: at, members, apart, plan };
  });
  const plans = groups.flatMap(({ plan }) => plan ?? []);
  const apply = (): readonly Fusion[] => {
    const made: { first: number; count: number; member: ReturnType<(typeof plans)[number]["make"]> }[] = [];
    try {
      for (const { plan, first: at, members } of groups) {
        if (plan !== undefined) made.push({ first: at, count: members.length, member: plan.make() });
      }
    } catch (error) {
      for (const { member } of made) member.release();
      throw prefixError(list.displayName, error);
    }
    list.substitute(made);
    return groups.map(({ members, apart, plan }) => ({
      members: members.map(({ displayName }) => displayName),
      fused: plan !== undefined,
      ...(apart === undefined ? {} : { apart }),
      ...(plan === undefined ? {} : { source: plan.source }),
    }));
  };
  return { programs: plans.map(({ program }) => program), apply };
}
