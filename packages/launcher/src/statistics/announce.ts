/** Notifies tracers of launches. Without any tracer, a launch only checks a flag. */
import type { Member } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { LaunchDetails, Tracer } from "./tracer.js";

/** Whether any launcher has a tracer. */
let anyTracer = false;
const tracers = new WeakMap<Member, readonly Tracer[]>();

/** Whether any launcher has a tracer. Ask first if the values of a launch have to be collected. */
export function isTraced(): boolean {
  return anyTracer;
}

/** Adds a tracer to a launcher. */
export function traceWith(member: Member, tracer: Tracer): void {
  anyTracer = true;
  tracers.set(member, [...(tracers.get(member) ?? []), tracer]);
}

/** A member whose launch sizes can be overridden. */
interface Sized {
  describe(values: ParameterValues, sizes?: object): LaunchDetails;
}

/** Notifies the tracers of a launcher, and of each member of a list, before a launch. */
export function announce(member: Member, values: object | undefined, sizes?: object): void {
  if (anyTracer) notify(member, (values ?? {}) as ParameterValues, sizes, [], new Set());
}

function notify(
  member: Member & Sized,
  values: ParameterValues,
  sizes: object | undefined,
  lists: readonly string[],
  inherited: ReadonlySet<Tracer>,
): void {
  const active = new Set([...inherited, ...(tracers.get(member) ?? [])]);
  const { name, kind } = member.statistics;
  if (kind === "list") {
    for (const child of member.members ?? []) notify(child, values, undefined, [...lists, name], active);
    return;
  }
  for (const tracer of active) {
    if (tracer.shouldTrace(name)) tracer.announce({ name, kind, lists, ...member.describe(values, sizes) });
  }
}
