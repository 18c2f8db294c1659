/** Merges members of a list into kernels that stay on the device, and reports which. */
import { inspect } from "node:util";

import { present } from "@cl/base";
import { BuildError, DeviceBuffer, Program } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import type { ListMember, Substitute } from "../list/list-member.js";
import { type Member, prefixError } from "../member.js";
import { type Candidate, candidatesOf, ProgramTexts } from "./candidates.js";
import { type DeviceWay, deviceWay } from "./device-way.js";
import { argumentsOf, type MergedArguments } from "./merged-arguments.js";
import { ResidentMember } from "./resident-member.js";
import { prepareName, residentName, residentSource, sharedWords, wordsName } from "./resident-source.js";

/** Members of a list that one launch runs, or a member that keeps its own. Prints as one line, without the source. */
export interface Residency {
  /** Names of the members, as in errors. */
  readonly members: readonly string[];
  readonly resident: boolean;
  /** Why they cannot be merged with the members before them, or with others at all. */
  readonly apart?: string;
  /** Source of the kernel, if merged. */
  readonly source?: string;
}

/** Merged kernels that are not built yet. */
export interface ResidencyPlan {
  readonly merged: readonly Merged[];
  /** Replaces the members by the merged kernels that could be built. */
  readonly apply: () => readonly Residency[];
}

/** Members that are replaced together. */
interface Group {
  readonly first: number;
  count: number;
  readonly candidates: Candidate[];
  readonly members: Member[];
  apart: string | undefined;
}

/** Plans which members are merged. */
export function planResidency(list: ListMember): ResidencyPlan {
  const texts = new ProgramTexts();
  const groups: Group[] = [];
  let first = 0;
  for (const { member, count } of unmerged(list)) {
    const candidates = candidatesOf(member, texts);
    const found = typeof candidates === "string" ? candidates : (differingTypes(candidates) ?? candidates);
    const group = groups.at(-1);
    const apart = typeof found === "string" ? found : group === undefined ? undefined : reasonApart(group, found);
    if (group !== undefined && typeof found !== "string" && apart === undefined) {
      group.candidates.push(...found);
      group.members.push(member);
      group.count += count;
    } else {
      groups.push({ first, count, candidates: typeof found === "string" ? [] : [...found], members: [member], apart });
    }
    first += count;
  }
  const plans = groups.map((group) => (group.candidates.length > 1 ? merge(group.candidates) : undefined));
  return {
    merged: plans.flatMap((plan) => plan ?? []),
    apply: () => applyPlans(list, groups, plans),
  };
}

/** Members as they run, but for those that an earlier plan has merged. */
function unmerged(list: ListMember): readonly { readonly member: Member; readonly count: number }[] {
  let next = 0;
  return list.runningMembers.flatMap(({ member, count }) => {
    const first = next;
    next += count;
    if (!(member instanceof ResidentMember)) return [{ member, count }];
    return list.members.slice(first, next).map((one) => ({ member: one, count: 1 }));
  });
}

function applyPlans(list: ListMember, groups: readonly Group[], plans: readonly (Merged | undefined)[]): Residency[] {
  const made: { first: number; count: number; plan: Merged }[] = [];
  const residencies = groups.map(({ first, count, members, apart }, k): Residency => {
    const names = members.map(({ displayName }) => displayName);
    const plan = plans[k];
    if (plan === undefined || plan.apart !== undefined) {
      return printable({ members: names, resident: false, ...present({ apart: plan?.apart ?? apart }) });
    }
    made.push({ first, count, plan });
    return printable({ members: names, resident: true, source: plan.source, ...present({ apart }) });
  });
  const substitutes: Substitute[] = [];
  try {
    for (const { first, count, plan } of made) {
      const { values, parameters } = plan.args;
      substitutes.push({ first, count, member: residentMember(plan, values, parameters) });
    }
    list.replaceRunning(substitutes, (member) => member instanceof ResidentMember);
  } catch (error) {
    for (const { member } of substitutes) member.release();
    throw prefixError(list.displayName, error);
  }
  return residencies;
}

/** Returns an object that prints as one line. */
function printable(residency: Residency): Residency {
  const { members, resident, apart } = residency;
  const reason = apart === undefined ? "" : ` (${apart})`;
  const text = `${resident ? "resident" : "own launch"}: ${members.join(", ")}${reason}`;
  return Object.defineProperty(residency, inspect.custom, { value: () => text });
}

/** Builds merged kernels. Members of those that fail stay as they are. */
export async function buildMerged({ merged }: ResidencyPlan, signal: AbortSignal | undefined): Promise<void> {
  const wait = signal === undefined ? {} : { signal };
  await Promise.all(
    merged.map((one) =>
      one.program.build({ options: one.options, ...wait }).catch((error: unknown) => {
        one.apart = failureOf(error);
      }),
    ),
  );
}

/** Blocking version of {@link buildMerged}. */
export function buildMergedSync({ merged }: ResidencyPlan): void {
  for (const one of merged) {
    try {
      one.program.buildSync({ options: one.options });
    } catch (error) {
      one.apart = failureOf(error);
    }
  }
}

function failureOf(error: unknown): string {
  if (error instanceof BuildError) return `the merged kernel fails: ${error.message}`;
  throw error;
}

/** Returns why candidates cannot be merged with a group; `undefined` if they can. */
function reasonApart({ candidates, members }: Group, next: readonly Candidate[]): string | undefined {
  const [before, after] = [candidates[0], next[0]];
  if (before === undefined) return `${members[0]?.displayName} keeps its own launch`;
  if (after === undefined) return "a list without members";
  const { context } = before;
  for (const { displayName, context: other, options, size } of next) {
    if (!context.equals(other)) return `${displayName} belongs to another context`;
    const built = candidates.find((one) => one.options !== undefined);
    if (built !== undefined && options !== undefined && options !== built.options) {
      return `${displayName} is built with other options`;
    }
    const sized = candidates.find((one) => one.size !== undefined && size !== undefined && one.size !== size);
    if (sized !== undefined) {
      return `${displayName} has groups of ${size} work-items, ${sized.displayName} of ${sized.size}`;
    }
  }
  const all = [...candidates, ...next];
  const differing = differingTypes(all);
  if (differing !== undefined) return differing;
  const limit = Math.min(...context.devices.map(({ maxParameterSize }) => maxParameterSize));
  const { bytes } = argumentsOf(all);
  return bytes > limit ? `the arguments of the kernel would exceed ${limit} bytes` : undefined;
}

/** Returns which parameter has several types, since the merged kernel has one argument for each parameter; else `undefined`. */
function differingTypes(candidates: readonly Candidate[]): string | undefined {
  const types = new Map<string, string>();
  for (const { displayName, args } of candidates) {
    for (const { parameter, type } of args) {
      if (parameter === undefined) continue;
      const known = types.get(parameter) ?? type;
      if (known !== type) return `${displayName} takes ${parameter} as ${type}, others as ${known}`;
      types.set(parameter, type);
    }
  }
  return undefined;
}

/** A merged kernel. */
export interface Merged {
  /** Why it does not replace its members after all. */
  apart?: string;
  readonly name: string;
  readonly candidates: readonly Candidate[];
  readonly program: Program;
  readonly options: string;
  readonly source: string;
  readonly args: MergedArguments;
  /** Number of work-items, and those of a group. */
  readonly global: number;
  readonly local: number;
}

function merge(candidates: readonly Candidate[]): Merged {
  const [{ context }] = candidates as readonly [Candidate, ...Candidate[]];
  const { way, size: anySize, groups: anyGroups, options } = deviceWay(context) as DeviceWay;
  const size = candidates.find((one) => one.size !== undefined)?.size ?? anySize;
  const groups = anyGroups * Math.max(1, Math.floor(anySize / size));
  const args = argumentsOf(candidates);
  const source = residentSource({
    way,
    groups,
    size,
    programs: [...new Set(candidates.map(({ text }) => text))],
    parameters: args.declarations,
    calls: candidates.map(({ kernel, call }, k) => ({ kernel, args: args.names[k] as readonly string[], ...call })),
  });
  const name = nameOf(candidates);
  const own = candidates.find((one) => one.options !== undefined)?.options ?? "";
  return {
    name,
    candidates,
    program: new Program(context, source, { label: name }),
    options: `${own} ${options}`.trim(),
    source,
    args,
    global: groups * size,
    local: size,
  };
}

/** Returns the member that runs a merged kernel, which must be built, with these arguments by name. */
export function residentMember(
  { name, program, global, local }: Merged,
  args: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, string>> = {},
): ResidentMember {
  const words = DeviceBuffer.empty(program.context, Uint32Array, sharedWords);
  const made: KernelMember[] = [];
  try {
    made.push(new KernelMember("prepare", program, { kernel: prepareName, args: [words], global: 1, local: 1 }));
    made.push(
      new KernelMember(name, program, {
        kernel: residentName,
        args: { [wordsName]: words, ...args },
        parameters,
        global,
        local,
      }),
    );
    return new ResidentMember(name, made, words);
  } catch (error) {
    for (const one of made) one.release();
    words.release();
    throw error;
  }
}

function nameOf(candidates: readonly Candidate[]): string {
  const names = candidates.map(({ name }) => name);
  return names.length <= 3 ? names.join(", then ") : `${names[0]}, then …, then ${names.at(-1)} (${names.length})`;
}
