/**
 * Copies between views: element by element, whatever the distances on both sides. One command of the queue's where there is
 * one for it; between views of a device otherwise a kernel of core's; and to or from the host otherwise a command for the
 * elements side by side, and JavaScript that takes them apart or together when its turn comes.
 */
import { outOfRange, typeError, wrongValue } from "@cl/base";
import { DeviceBuffer, DeviceView, HostView, Image, memoryRange, rectangleOf, SvmPointer } from "@cl/core";
import { checkElements } from "@cl/core/internal";

import { allAccesses } from "../list/access.js";
import { type CopyLauncherEnd, isHost, type CopyLauncherRange } from "./copy-ends.js";
import { type CopyWay, endAccess } from "./copy-way.js";
import { checkContexts, commandCopy } from "./memory-copy.js";

type View = DeviceView | HostView;

/** True for what {@link viewCopy} is for. */
export function isView(end: CopyLauncherEnd): end is View {
  return end instanceof DeviceView || end instanceof HostView;
}

/** The copy, checked; at least one of the two is a view, and the other may be memory with exactly its elements. */
export function viewCopy(target: CopyLauncherEnd, source: CopyLauncherEnd, range: CopyLauncherRange): CopyWay {
  const given = Object.entries(range).find(([, value]) => value !== undefined);
  if (given !== undefined) {
    throw wrongValue(`options.${given[0]} is for copies of memory: of a view, copy a slice`);
  }
  const like = (isView(target) ? target : source) as View;
  const to = asView(target, like, "target");
  const from = asView(source, like, "source");
  const rectangle = rectangleOf(to, from);
  const way = wayBetween(to, from, rectangle);
  return { ...way, accesses: () => allAccesses([endAccess(from, false), endAccess(to, true)]) };
}

function wayBetween(to: View, from: View, rectangle: ReturnType<typeof rectangleOf>): Omit<CopyWay, "accesses"> {
  if (to instanceof DeviceView) {
    return from instanceof DeviceView ? onDevice(to, from, rectangle) : fromHost(to, from, rectangle);
  }
  return from instanceof DeviceView ? toHost(to, from, rectangle) : onHost(to, from);
}

/** Memory as a view of the same elements as the other side's. */
function asView(end: CopyLauncherEnd, { dtype, shape, nbytes }: View, name: string): View {
  if (isView(end)) return end;
  if (end instanceof Image || end instanceof SvmPointer) {
    throw typeError(name, "a view, a DeviceBuffer or host memory, since the other side is a view", end);
  }
  const bytes = end instanceof DeviceBuffer ? end.size : end.byteLength;
  if (bytes !== nbytes) {
    throw outOfRange(
      `the ${name} has ${bytes} bytes, but the other side is a view of [${shape.join(", ")}] ${dtype.name} elements, ${nbytes} bytes`,
    );
  }
  if (isHost(end)) {
    checkElements(end, dtype, name);
    return new HostView(end, { dtype, shape });
  }
  if (end.type !== undefined && end.type !== Uint8Array && end.type !== dtype.arrayType) {
    throw typeError(name, `a buffer of ${dtype.name} elements, or of bytes`, end);
  }
  return new DeviceView(end, { dtype, shape });
}

function onDevice(
  to: DeviceView,
  from: DeviceView,
  rectangle: ReturnType<typeof rectangleOf>,
): Omit<CopyWay, "accesses"> {
  checkContexts(to.memory, from.memory);
  const apart = memoryRange(to.memory).store !== memoryRange(from.memory).store;
  const line = apart && rectangle?.region === undefined ? rectangle : undefined;
  return {
    onHost: false,
    ...(line === undefined ? {} : { line: { target: to.memory, source: from.memory, range: line } }),
    enqueue: (queue, waitFor, _, counted) => counted.command(to.enqueueCopyFrom(queue, from, { waitFor })),
  };
}

function toHost(to: HostView, from: DeviceView, rectangle: ReturnType<typeof rectangleOf>): Omit<CopyWay, "accesses"> {
  if (rectangle !== undefined) return commandCopy(to.memory, from.memory, rectangle);
  return {
    onHost: true,
    enqueue: (queue, waitFor, name, counted) => {
      const [packed, view] = sideBySide(to);
      using read = counted.command(from.enqueueRead(queue, packed, { waitFor }));
      return queue.enqueueHostFunction(() => to.assign(view), { waitFor: read, label: name });
    },
  };
}

function fromHost(
  to: DeviceView,
  from: HostView,
  rectangle: ReturnType<typeof rectangleOf>,
): Omit<CopyWay, "accesses"> {
  if (rectangle !== undefined) return commandCopy(to.memory, from.memory, rectangle);
  return {
    onHost: true,
    enqueue: (queue, waitFor, name, counted) => {
      const [packed, view] = sideBySide(from);
      using gathered = queue.enqueueHostFunction(() => view.assign(from), { waitFor, label: name });
      return counted.command(to.enqueueWrite(queue, packed, { waitFor: gathered }));
    },
  };
}

/** Memory for one launch: the next one may come before this has ended. */
function sideBySide({ dtype, shape, nbytes }: HostView): readonly [Uint8Array, HostView] {
  const packed = new Uint8Array(nbytes);
  return [packed, new HostView(packed, { dtype, shape })];
}

function onHost(to: HostView, from: HostView): Omit<CopyWay, "accesses"> {
  return {
    onHost: true,
    enqueue: (queue, waitFor, name, counted) =>
      queue.enqueueHostFunction(
        counted.onHost(() => void to.assign(from)),
        { waitFor, label: name },
      ),
  };
}
