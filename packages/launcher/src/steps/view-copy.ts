/**
 * Copies between views with any strides: with one queue command if possible, otherwise with a kernel of core between device
 * views. Between device and host views, otherwise with a command for contiguous elements, and JavaScript that packs or unpacks
 * them.
 */
import { type Layout, layoutsOverlap, outOfRange, stridedCopy, typeError, wrongValue } from "@cl/base";
import { DeviceBuffer, DeviceView, HostView, Image, memoryRange, rectangleOf, SvmPointer } from "@cl/core";
import { checkElements } from "@cl/core/internal";

import { allAccesses } from "../list/access.js";
import { type CopyLauncherEnd, isHost, type CopyLauncherRange } from "./copy-ends.js";
import { type CopyPlan, endAccess } from "./copy-plan.js";
import { type DeviceMove, deviceMove, runOfBytes } from "./device-move.js";
import { checkContexts, commandCopy, onHostReason } from "./memory-copy.js";

type View = DeviceView | HostView;

/** Whether {@link viewCopy} supports this. */
export function isView(end: CopyLauncherEnd): end is View {
  return end instanceof DeviceView || end instanceof HostView;
}

/** Checks and plans a copy. At least one side is a view; the other may be memory with exactly its elements. */
export function viewCopy(target: CopyLauncherEnd, source: CopyLauncherEnd, range: CopyLauncherRange): CopyPlan {
  const unsupported = Object.entries(range).find(([, value]) => value !== undefined);
  if (unsupported !== undefined) {
    throw wrongValue(`options.${unsupported[0]} is not supported for views; copy a slice instead`);
  }
  const like = (isView(target) ? target : source) as View;
  const to = asView(target, like, "target");
  const from = asView(source, like, "source");
  const rectangle = rectangleOf(to, from);
  const plan = planBetween(to, from, rectangle);
  return { ...plan, accesses: () => allAccesses([endAccess(from, false), endAccess(to, true)]) };
}

function planBetween(to: View, from: View, rectangle: ReturnType<typeof rectangleOf>): Omit<CopyPlan, "accesses"> {
  if (to instanceof DeviceView) {
    return from instanceof DeviceView ? onDevice(to, from, rectangle) : fromHost(to, from, rectangle);
  }
  return from instanceof DeviceView ? toHost(to, from, rectangle) : onHost(to, from);
}

/** Returns memory as a view with the element type and shape of the other side. */
function asView(end: CopyLauncherEnd, { dtype, shape, nbytes }: View, name: string): View {
  if (isView(end)) return end;
  if (end instanceof Image || end instanceof SvmPointer) {
    throw typeError(name, "a view, a DeviceBuffer or host memory, since the other side is a view", end);
  }
  const bytes = end instanceof DeviceBuffer ? end.size : end.byteLength;
  if (bytes !== nbytes) {
    throw outOfRange(
      `the ${name} must have ${nbytes} bytes, as the view of [${shape.join(", ")}] ${dtype.name} elements, received ${bytes}`,
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
): Omit<CopyPlan, "accesses"> {
  checkContexts(to.memory, from.memory);
  const separate = memoryRange(to.memory).store !== memoryRange(from.memory).store;
  const byteRange = separate && rectangle?.region === undefined ? rectangle : undefined;
  return {
    onHost: false,
    move: () => moveBetween(to, from),
    ...(byteRange === undefined ? {} : { recordable: { target: to.memory, source: from.memory, range: byteRange } }),
    enqueue: (queue, waitFor, _, statistics) => statistics.command(to.enqueueCopyFrom(queue, from, { waitFor })),
  };
}

function moveBetween(to: DeviceView, from: DeviceView): DeviceMove | string {
  const [target, source] = [memoryRange(to.memory), memoryRange(from.memory)];
  const at = ({ shape, strides, offset }: DeviceView, start: number): Layout => ({
    shape,
    strides,
    offset: offset + start,
  });
  if (to.size === 0) return deviceMove(to.memory, from.memory, runOfBytes({ bytes: 0 }));
  const mayOverlap =
    target.store === source.store && layoutsOverlap(at(to, target.start), at(from, source.start), to.itemSize);
  if (mayOverlap) return "its source and target overlap";
  return deviceMove(to.memory, from.memory, stridedCopy(from, to, to.itemSize));
}

function toHost(to: HostView, from: DeviceView, rectangle: ReturnType<typeof rectangleOf>): Omit<CopyPlan, "accesses"> {
  if (rectangle !== undefined) return commandCopy(to.memory, from.memory, rectangle);
  return {
    onHost: true,
    move: () => onHostReason,
    enqueue: (queue, waitFor, name, statistics) => {
      const [packed, view] = packedMemory(to);
      using read = statistics.command(from.enqueueRead(queue, packed, { waitFor }));
      return queue.enqueueHostFunction(() => to.assign(view), { waitFor: read, label: name });
    },
  };
}

function fromHost(
  to: DeviceView,
  from: HostView,
  rectangle: ReturnType<typeof rectangleOf>,
): Omit<CopyPlan, "accesses"> {
  if (rectangle !== undefined) return commandCopy(to.memory, from.memory, rectangle);
  return {
    onHost: true,
    move: () => onHostReason,
    enqueue: (queue, waitFor, name, statistics) => {
      const [packed, view] = packedMemory(from);
      using gathered = queue.enqueueHostFunction(() => view.assign(from), { waitFor, label: name });
      return statistics.command(to.enqueueWrite(queue, packed, { waitFor: gathered }));
    },
  };
}

/** Allocates memory for one launch, since the next launch may start before it ends. */
function packedMemory({ dtype, shape, nbytes }: HostView): readonly [Uint8Array, HostView] {
  const packed = new Uint8Array(nbytes);
  return [packed, new HostView(packed, { dtype, shape })];
}

function onHost(to: HostView, from: HostView): Omit<CopyPlan, "accesses"> {
  return {
    onHost: true,
    move: () => onHostReason,
    enqueue: (queue, waitFor, name, statistics) =>
      queue.enqueueHostFunction(
        statistics.onHost(() => void to.assign(from)),
        { waitFor, label: name },
      ),
  };
}
