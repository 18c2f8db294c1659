/** Merges members of a list into kernels that stay on the device, and reports which. */
import { bytesByName } from "@cl/base";
import { BuildError, DeviceBuffer, Program } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import { ListMember, type Substitute } from "../list/list-member.js";
import { type Member, prefixError } from "../member.js";
import { type CallableKernel, type CallableProgram, callableProgram } from "./callable-program.js";
import { type DeviceWay, deviceWay } from "./device-way.js";
import { ResidentMember } from "./resident-member.js";
import { prepareName, type ResidentCall, residentName, residentSource, sharedWords } from "./resident-source.js";

/** Members of a list that one launch runs, or a member that keeps its own. */
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

/** A member that can be merged. */
interface Candidate {
  readonly member: KernelMember;
  readonly kernel: CallableKernel;
  readonly call: Pick<ResidentCall, "global" | "local" | "offset">;
  /** Compiler options other than macros. */
  readonly options: string;
  readonly text: string;
  /** Work-items of a group, where they wait for each other. */
  readonly size: number | undefined;
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
    const found = candidatesOf(member, texts);
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
    const rest = apart === undefined ? {} : { apart };
    if (plan === undefined) return { members: names, resident: false, ...rest };
    if (plan.failure !== undefined) {
      return { members: names, resident: false, apart: `the merged kernel fails: ${plan.failure.message}` };
    }
    made.push({ first, count, plan });
    return { members: names, resident: true, source: plan.source, ...rest };
  });
  const substitutes: Substitute[] = [];
  try {
    for (const { first, count, plan } of made) substitutes.push({ first, count, member: plan.make() });
    list.replaceRunning(substitutes, (member) => member instanceof ResidentMember);
  } catch (error) {
    for (const { member } of substitutes) member.release();
    throw prefixError(list.displayName, error);
  }
  return residencies;
}

/** Builds merged kernels. Members of those that fail stay as they are. */
export async function buildMerged({ merged }: ResidencyPlan, signal: AbortSignal | undefined): Promise<void> {
  const wait = signal === undefined ? {} : { signal };
  await Promise.all(
    merged.map((one) =>
      one.program.build({ options: one.options, ...wait }).catch((error: unknown) => {
        one.failure = buildErrorOf(error);
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
      one.failure = buildErrorOf(error);
    }
  }
}

function buildErrorOf(error: unknown): BuildError {
  if (error instanceof BuildError) return error;
  throw error;
}

/** Rewritten programs, each once. */
class ProgramTexts {
  readonly #known = new Map<string, { readonly program: CallableProgram | string; readonly options: string }>();

  of(program: Program): { readonly program: CallableProgram | string; readonly options: string } {
    const { source } = program;
    const given = program.options(program.devices[0] as Program["devices"][number]);
    const key = `${given}\0${source ?? ""}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const words = wordsOf(given);
    const macros = words.filter((word) => word.startsWith("-D")).map((word) => word.slice(2).trim());
    const options = words.filter((word) => !/^-D|^-w$|^-cl-kernel-arg-info$/.test(word)).join(" ");
    const made =
      source === undefined
        ? "its program has no source"
        : /-(?:U|I|include)/.test(options)
          ? `it is built with ${options}`
          : callableProgram(source, macros, `p${this.#known.size}_`);
    const entry = { program: made, options };
    this.#known.set(key, entry);
    return entry;
  }
}

/** Splits compiler options, and removes quotes. A macro may be in the word after -D. */
function wordsOf(options: string): readonly string[] {
  const words = options.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g) ?? [];
  const plain = words.map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, "$1").replace(/\\(.)/g, "$1"));
  return plain.flatMap((word, k) =>
    plain[k - 1] === "-D" ? [] : word === "-D" ? [`-D${plain[k + 1] ?? ""}`] : [word],
  );
}

/** Returns what a member runs, or why that cannot be merged. */
function candidatesOf(member: Member, texts: ProgramTexts): readonly Candidate[] | string {
  if (member instanceof ResidentMember) return `${member.displayName} is merged already`;
  if (member instanceof ListMember) {
    if (member.order !== "sequential") return `${member.displayName} has the order "${member.order}"`;
    const parts = member.runningMembers.map((inner) => candidatesOf(inner.member, texts));
    const reason = parts.find((part) => typeof part === "string");
    return reason ?? (parts as (readonly Candidate[])[]).flat();
  }
  if (!(member instanceof KernelMember)) return `${member.displayName} is not a single kernel`;
  const reason = (text: string): string => `${member.displayName}: ${text}`;
  const { kernel, extents } = member;
  if (deviceWay(kernel.context) === undefined) {
    return reason("its device has no known way for work-groups to wait for each other");
  }
  if (extents === undefined) return reason("its sizes depend on parameters");
  const { program, options } = texts.of(kernel.program);
  if (typeof program === "string") return reason(program);
  const callable = program.kernel(kernel.name);
  if (typeof callable === "string") return reason(callable);
  const { global, local } = extents;
  if (local?.some((size, d) => (global[d] as number) % size !== 0) === true) {
    return reason("its global size is not a multiple of the local size");
  }
  if (global.some((size) => size === 0)) return reason("it has no work-items");
  if (global.reduce((product, size) => product * size, 1) >= 2 ** 31) return reason("it has 2^31 work-items or more");
  const items = local?.reduce((product, size) => product * size, 1);
  if (callable.isCollective && items === undefined) {
    return reason("its work-items wait for each other or share local memory, and options.local is missing");
  }
  const call = { global, local, offset: extents.offset ?? [] };
  return [
    { member, kernel: callable, call, options, text: program.text, size: callable.isCollective ? items : undefined },
  ];
}

/** Returns why candidates cannot be merged with a group; `undefined` if they can. */
function reasonApart({ candidates, members }: Group, next: readonly Candidate[]): string | undefined {
  const [before, after] = [candidates[0], next[0]];
  if (before === undefined) return `${members[0]?.displayName} keeps its own launch`;
  if (after === undefined) return "a list without members";
  const { context } = before.member.kernel;
  for (const { member, options, size } of next) {
    const name = member.displayName;
    if (!context.equals(member.kernel.context)) return `${name} belongs to another context`;
    if (options !== before.options) return `${name} is built with other options`;
    const other = candidates.find((one) => one.size !== undefined && size !== undefined && one.size !== size);
    if (other !== undefined) {
      return `${name} has groups of ${size} work-items, ${other.member.displayName} of ${other.size}`;
    }
  }
  const all = [...candidates, ...next];
  const limit = Math.min(...context.devices.map(({ maxParameterSize }) => maxParameterSize));
  const { bytes } = argumentsOf(all);
  return bytes > limit ? `the arguments of the kernel would exceed ${limit} bytes` : undefined;
}

/** Parameters of the merged kernel, and what each call is given of them. */
interface MergedArguments {
  readonly declarations: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters of launches, by the names of arguments. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly names: readonly (readonly string[])[];
  readonly bytes: number;
}

/** Collects arguments: the same value of the same type is passed once. */
function argumentsOf(candidates: readonly Candidate[]): MergedArguments {
  const declarations: string[] = [];
  const values: Record<string, unknown> = {};
  const parameters: Record<string, string> = {};
  const known: { readonly type: string; readonly value: unknown; readonly name: string }[] = [];
  let bytes = 8;
  const add = (declare: (name: string) => string, type: string): string => {
    const name = `a${declarations.length}`;
    declarations.push(declare(name));
    bytes += type.includes("*") ? 8 : Math.max(4, bytesByName(type) ?? 64);
    return name;
  };
  const names = candidates.map(({ member, kernel }) => {
    const args = member.args;
    return kernel.parameters.map(({ declare }, i) => {
      const type = member.kernel.argTypes[i] ?? "";
      const slot = member.slots.find(({ index }) => index === i);
      if (slot !== undefined) return (parameters[slot.name] ??= add(declare, type));
      const declaration = declare("");
      const same = known.find((one) => one.type === declaration && Object.is(one.value, args[i]));
      if (same !== undefined) return same.name;
      const name = add(declare, type);
      values[name] = args[i];
      known.push({ type: declaration, value: args[i], name });
      return name;
    });
  });
  return { declarations, values, parameters, names, bytes };
}

/** A merged kernel. */
interface Merged {
  /** Why it could not be built. */
  failure?: BuildError;
  readonly program: Program;
  readonly options: string;
  readonly source: string;
  readonly make: () => Member;
}

function merge(candidates: readonly Candidate[]): Merged {
  const [first] = candidates as readonly [Candidate, ...Candidate[]];
  const { context } = first.member.kernel;
  const { way, size: anySize, groups: anyGroups, options } = deviceWay(context) as DeviceWay;
  const size = candidates.find((one) => one.size !== undefined)?.size ?? anySize;
  const groups = anyGroups * Math.max(1, Math.floor(anySize / size));
  const { declarations, values, parameters, names } = argumentsOf(candidates);
  const source = residentSource({
    way,
    groups,
    size,
    programs: [...new Set(candidates.map(({ text }) => text))],
    parameters: declarations,
    calls: candidates.map(({ kernel, call }, k) => ({ kernel, args: names[k] as readonly string[], ...call })),
  });
  const program = new Program(context, source, { label: nameOf(candidates) });
  const make = (): Member => {
    const words = DeviceBuffer.empty(context, Uint32Array, sharedWords);
    const made: KernelMember[] = [];
    try {
      made.push(new KernelMember("prepare", program, { kernel: prepareName, args: [words], global: 1, local: 1 }));
      made.push(
        new KernelMember(nameOf(candidates), program, {
          kernel: residentName,
          args: { words_: words, ...values },
          parameters,
          global: groups * size,
          local: size,
        }),
      );
      return new ResidentMember(nameOf(candidates), made, words);
    } catch (error) {
      for (const one of made) one.release();
      words.release();
      throw error;
    }
  };
  return { program, options: `${first.options} ${options}`.trim(), source, make };
}

function nameOf(candidates: readonly Candidate[]): string {
  const names = candidates.map(({ member }) => member.name);
  return names.length <= 3 ? names.join(", then ") : `${names[0]}, then …, then ${names.at(-1)} (${names.length})`;
}
