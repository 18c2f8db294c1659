/** How tracers hear of launches. As long as there is no tracer, a launch asks one question. */
import type { Member } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { LaunchDescription, Tracer } from "./tracer.js";

/** True once any launcher has a tracer. */
let anyTracer = false;
const tracers = new WeakMap<Member, readonly Tracer[]>();

/** Lets a tracer hear of a launcher's launches. */
export function traceWith(member: Member, tracer: Tracer): void {
  anyTracer = true;
  tracers.set(member, [...(tracers.get(member) ?? []), tracer]);
}

/** Something that takes other sizes for one launch. */
interface Sized {
  describe(values: ParameterValues, sizes?: object): LaunchDescription;
}

/** Tells of a launch that is about to happen: to the launcher's tracers, and to those of each member of a list. */
export function announce(member: Member, values: object | undefined, sizes?: object): void {
  if (anyTracer) tell(member, (values ?? {}) as ParameterValues, sizes, [], new Set());
}

function tell(
  member: Member & Sized,
  values: ParameterValues,
  sizes: object | undefined,
  lists: readonly string[],
  inherited: ReadonlySet<Tracer>,
): void {
  const all = new Set([...inherited, ...(tracers.get(member) ?? [])]);
  const { name, kind } = member.statistics;
  if (kind === "list") {
    for (const one of member.members ?? []) tell(one, values, undefined, [...lists, name], all);
    return;
  }
  for (const tracer of all) {
    if (tracer.wants(name)) tracer.announce({ name, kind, lists, ...member.describe(values, sizes) });
  }
}
