/** The source of a kernel that runs several others one after another. */
import type { CallableKernel } from "./callable-program.js";
import resident from "./resident.cl";

/** How groups see what others wrote: see resident.cl. */
export type ResidentWay = "CPU" | "PTX" | "ATOMICS";

/** A call of a kernel for all of its work-items. */
export interface ResidentCall {
  readonly kernel: CallableKernel;
  /** Names of the merged kernel's parameters that it is given. */
  readonly args: readonly string[];
  readonly global: readonly number[];
  /** `undefined` if any will do. */
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
}

/** What the source depends on. */
export interface ResidentPlan {
  readonly way: ResidentWay;
  readonly groups: number;
  /** Work-items of a group. */
  readonly size: number;
  /** Texts of the programs. */
  readonly programs: readonly string[];
  /** Declarations of the parameters. */
  readonly parameters: readonly string[];
  readonly calls: readonly ResidentCall[];
}

/** Names of the kernel, and of the one that must run before each of its launches. */
export const residentName = "resident";
export const prepareName = "resident_prepare";
/** Name of the argument with what its groups share. */
export const wordsName = "words_";
/** Number of words that the groups share: see resident.cl. */
export const sharedWords = 33;

/** Returns the source. */
export function residentSource({ way, groups, size, programs, parameters, calls }: ResidentPlan): string {
  const locals = calls.map(({ kernel }, k) => kernel.locals.map((type, i) => ({ type, name: `local_${k}_${i}` })));
  const blocks = calls.map((call, k) => {
    const names = locals[k]?.map(({ name }) => `&${name}`) ?? [];
    const wait = k === calls.length - 1 ? "" : `    resident_wait(words_, me.y * ${k + 1}u);\n`;
    return `${callText(call, size, names)}${wait}`;
  });
  return `#define WAY ${way}
#define GROUPS ${groups}u
${resident}
__kernel void ${prepareName}(__global uint* const ${wordsName}) {
  words_[TAKING_PART] = words_[TAKING_PART + 1] = words_[ARRIVED] = 0;
}
${programs.join("\n")}
__kernel void ${residentName}(${[`__global uint* const ${wordsName}`, ...parameters].join(", ")}) {
  __local uint shared_[2];
${locals
  .flat()
  .map(({ type, name }) => `  __local ${type} ${name};\n`)
  .join("")}  const uint2 me = resident_enter(words_, shared_);
  if (me.y != 0) {
${blocks.join("")}  }
}
`;
}

/** The loop over what a group has of a kernel's work-items. */
function callText(
  { kernel, args, global, local, offset }: ResidentCall,
  size: number,
  locals: readonly string[],
): string {
  const { isCollective, name } = kernel;
  const one = local ?? global.map((_, d) => (isCollective && d === 0 ? size : 1));
  const groups = global.map((extent, d) => extent / (one[d] as number));
  const all = groups.reduce((product, count) => product * count, 1);
  const items = one.reduce((product, extent) => product * extent, 1);
  const list = (values: readonly number[], rest: number): string =>
    [0, 1, 2].map((d) => String(values[d] ?? rest)).join(", ");
  const head = `    {
      resident_item item = {{${list(global, 1)}}, {${list(one, 1)}}, {${list(offset, 0)}}, {0, 0, 0}, {0, 0, 0}, ${global.length}};
`;
  const call = `${name}(${["&item", ...locals, ...args].join(", ")});`;
  if (!isCollective) {
    return `${head}      const uint items = ${size}u;
      for (uint w = me.x * items + (uint)get_local_id(0); w < ${all * items}u; w += me.y * items) {
        const uint group = w / ${items}u, place = w % ${items}u;
${positionText(groups, one)}        ${call}
      }
    }
`;
  }
  return `${head}      const uint place = (uint)get_local_id(0);
      for (uint group = me.x; group < ${all}u; group += me.y) {
${positionText(groups, one)}        ${call}
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    }
`;
}

/** The statements that set an item's position. */
function positionText(groups: readonly number[], local: readonly number[]): string {
  const along = (name: string, from: string, extents: readonly number[]): string =>
    extents
      .map((_, d) => {
        const below = extents.slice(0, d).reduce((product, extent) => product * extent, 1);
        const quotient = below === 1 ? from : `${from} / ${below}u`;
        const value = d === extents.length - 1 ? quotient : `${quotient} % ${extents[d]}u`;
        return `        item.${name}[${d}] = ${value};\n`;
      })
      .join("");
  return along("group", "group", groups) + along("place", "place", local);
}
