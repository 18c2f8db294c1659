/** Notifies tracers of launches. Without any tracer, a launch only checks a flag. */
import type { Member } from "../member.js";
import type { ParameterValues } from "../parameters/parameter-union.js";
import type { LaunchDetails, Tracer } from "./tracer.js";

/** Whether any launcher has a tracer. */
let anyTracer = false;
const tracers = new WeakMap<Member, readonly Tracer[]>();
/** What announces the members after a host step when its results are known. */
const later = new WeakMap<Member, (results: ParameterValues) => void>();

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
    notifyMembers(member.members ?? [], values, [...lists, name], active);
    return;
  }
  for (const tracer of active) {
    if (tracer.shouldTrace(name)) tracer.announce({ name, kind, lists, ...member.describe(values, sizes) });
  }
}

/** Notifies up to a host step with results; {@link announceLater} returns what notifies the rest. */
function notifyMembers(
  members: readonly Member[],
  values: ParameterValues,
  lists: readonly string[],
  active: ReadonlySet<Tracer>,
): void {
  for (const [i, member] of members.entries()) {
    notify(member, values, undefined, lists, active);
    if (member.results === undefined) continue;
    later.set(member, (results) => notifyMembers(members.slice(i + 1), { ...values, ...results }, lists, active));
    return;
  }
}

/** Returns what notifies the tracers of the members after a host step, for the launch that was announced last. */
export function announceLater(step: Member): ((results: ParameterValues) => void) | undefined {
  const notifyLater = later.get(step);
  later.delete(step);
  return notifyLater;
}
