/** Members of lists as kernels that others can call. */
import type { Context, Program } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import { ListMember } from "../list/list-member.js";
import type { Member } from "../member.js";
import { CopyMember } from "../steps/copy-member.js";
import { FillMember } from "../steps/fill-member.js";
import { type CallableKernel, type CallableProgram, callableProgram } from "./callable-program.js";
import { deviceWay } from "./device-way.js";
import { moveKernel } from "./move-kernel.js";
import { ResidentMember } from "./resident-member.js";
import type { ResidentCall } from "./resident-source.js";

/** A member that can be merged. */
export interface Candidate {
  readonly member: KernelMember | CopyMember | FillMember;
  readonly name: string;
  /** Name in errors. */
  readonly displayName: string;
  readonly context: Context;
  readonly kernel: CallableKernel;
  /** What it is called with. */
  readonly args: readonly CandidateArgument[];
  readonly call: Pick<ResidentCall, "global" | "local" | "offset">;
  /** Compiler options other than macros; `undefined` if any will do. */
  readonly options: string | undefined;
  readonly text: string;
  /** Work-items of a group, where they wait for each other. */
  readonly size: number | undefined;
}

/** An argument of a candidate. */
export interface CandidateArgument {
  /** Its type, as the runtime reports it. */
  readonly type: string;
  /** Name of the parameter, if launches pass it. */
  readonly parameter?: string | undefined;
  readonly value?: unknown;
  /** Type to which any pointer to the memory may be cast. */
  readonly pointer?: string;
}

/** Rewritten programs, each once, and names for kernels of copies and fills. */
export class ProgramTexts {
  #moves = 0;
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

  nextMoveName(): string {
    return `resident_move_${this.#moves++}`;
  }
}

/** Returns what a member runs, or why that cannot be merged. */
export function candidatesOf(member: Member, texts: ProgramTexts): readonly Candidate[] | string {
  if (member instanceof ResidentMember) return `${member.displayName} is merged already`;
  if (member instanceof ListMember) {
    if (member.order !== "sequential") return `${member.displayName} has the order "${member.order}"`;
    const parts = member.runningMembers.map((inner) => candidatesOf(inner.member, texts));
    const reason = parts.find((part) => typeof part === "string");
    return reason ?? (parts as (readonly Candidate[])[]).flat();
  }
  const reason = (text: string): string => `${member.displayName}: ${text}`;
  const found =
    member instanceof KernelMember
      ? kernelCandidate(member, texts)
      : member instanceof CopyMember || member instanceof FillMember
        ? moveCandidate(member, texts)
        : "it is not a kernel, copy or fill";
  return typeof found === "string" ? reason(found) : [found];
}

const noWay = "its device has no known way for work-groups to wait for each other";
const maxItems = 2 ** 31;

function moveCandidate(member: CopyMember | FillMember, texts: ProgramTexts): Candidate | string {
  const { move, name, displayName } = member;
  if (typeof move === "string") return move;
  const { context } = move.target;
  if (deviceWay(context) === undefined) return noWay;
  const { kernel, text, items, memory, pointer } = moveKernel(move, texts.nextMoveName());
  if (items >= maxItems) return "it moves 2^31 words or more";
  return {
    member,
    name,
    displayName,
    context,
    kernel,
    args: memory.map((value) => ({ type: "void*", value, pointer })),
    call: { global: [items], local: undefined, offset: [] },
    options: undefined,
    text,
    size: undefined,
  };
}

function kernelCandidate(member: KernelMember, texts: ProgramTexts): Candidate | string {
  const { kernel, extents } = member;
  if (deviceWay(kernel.context) === undefined) return noWay;
  if (extents === undefined) return "its sizes depend on parameters";
  const { program, options } = texts.of(kernel.program);
  if (typeof program === "string") return program;
  const callable = program.kernel(kernel.name);
  if (typeof callable === "string") return callable;
  const { global, local } = extents;
  if (local?.some((size, d) => (global[d] as number) % size !== 0) === true) {
    return "its global size is not a multiple of the local size";
  }
  if (global.some((size) => size === 0)) return "it has no work-items";
  if (global.reduce((product, size) => product * size, 1) >= maxItems) return "it has 2^31 work-items or more";
  const items = local?.reduce((product, size) => product * size, 1);
  if (callable.isCollective && items === undefined) {
    return "its work-items wait for each other or share local memory, and options.local is missing";
  }
  const call = { global, local, offset: extents.offset ?? [] };
  return {
    member,
    name: member.name,
    displayName: member.displayName,
    context: kernel.context,
    kernel: callable,
    args: member.args.map((value, i) => ({
      type: kernel.argTypes[i] ?? "",
      value,
      parameter: member.slots.find(({ index }) => index === i)?.name,
    })),
    call,
    options,
    text: program.text,
    size: callable.isCollective ? items : undefined,
  };
}

/** Splits compiler options, and removes quotes. A macro may be in the word after -D. */
function wordsOf(options: string): readonly string[] {
  const words = options.match(/(?:"(?:\\.|[^"\\])*"|\\.|[^\s"\\])+/g) ?? [];
  const plain = words.map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, "$1").replace(/\\(.)/g, "$1"));
  return plain.flatMap((word, k) =>
    plain[k - 1] === "-D" ? [] : word === "-D" ? [`-D${plain[k + 1] ?? ""}`] : [word],
  );
}
