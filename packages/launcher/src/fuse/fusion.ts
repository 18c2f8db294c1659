/** Fusing a list's members: what goes together, the kernels for it, and the report. */
import type { Program } from "@cl/core";

import type { ListMember } from "../list/list-member.js";
import { named } from "../member.js";
import type { ElementwiseMember } from "./elementwise-member.js";
import { planFused } from "./fused-member.js";
import { grouped } from "./grouping.js";

/** Members of a list that run as one kernel; or one that runs as it is. */
export interface Fusion {
  /** The members, as errors call them. */
  readonly members: readonly string[];
  readonly fused: boolean;
  /** Why these do not go together with those before them. */
  readonly apart?: string;
  /** The kernel, if they are fused. */
  readonly source?: string;
}

/** Fusions whose programs are not built yet. */
export interface FusionPlan {
  readonly programs: readonly Program[];
  /** Lets them run; to be called when all programs have been built. */
  readonly apply: () => readonly Fusion[];
}

/** What can be made of the members that a list has now. */
export function planFusion(list: ListMember): FusionPlan {
  let first = 0;
  const groups = grouped(list.members).map(({ members, apart }) => {
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
      throw named(list.words, error);
    }
    list.substitute(made);
    return groups.map(({ members, apart, plan }) => ({
      members: members.map(({ words }) => words),
      fused: plan !== undefined,
      ...(apart === undefined ? {} : { apart }),
      ...(plan === undefined ? {} : { source: plan.source }),
    }));
  };
  return { programs: plans.map(({ program }) => program), apply };
}
