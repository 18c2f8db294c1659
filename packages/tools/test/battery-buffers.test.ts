import type { DeviceBuffer } from "@cl/core";
import {
  Adaptor,
  AlignedAdaptor,
  DeferredAllocator,
  FailureCallbackAdaptor,
  FallbackAdaptor,
  ImmediateAllocator,
  LimitAdaptor,
  LogAdaptor,
  RetryAdaptor,
  StatisticsAdaptor,
  TrackAdaptor,
} from "@cl/tools";
import { describeAllocator } from "@cl/tools/testing";

describeAllocator("DeferredAllocator", ({ context }) => new DeferredAllocator(context));

describeAllocator("DeferredAllocator of host-accessible memory", ({ context }) => {
  return new DeferredAllocator(context, { hostPointer: "alloc" });
});

describeAllocator("ImmediateAllocator", ({ queue }) => new ImmediateAllocator(queue));

describeAllocator("LimitAdaptor", ({ upstream }) => new LimitAdaptor(upstream, 2 ** 40), {
  usedBytes: (allocator) => allocator.usedBytes,
});

describeAllocator("TrackAdaptor", ({ upstream }) => new TrackAdaptor(upstream), {
  usedBytes: (allocator) => allocator.outstandingBytes,
});

describeAllocator("StatisticsAdaptor", ({ upstream }) => new StatisticsAdaptor(upstream), {
  usedBytes: (allocator) => allocator.snapshot().bytes.current,
});

const bytesOfLog = new WeakMap<object, () => number>();

/** Sums the bytes in a log. */
function logged({ upstream }: { readonly upstream: Adaptor["upstream"] }): LogAdaptor {
  const sizes = new Map<number, number>();
  const adaptor = new LogAdaptor(upstream, (line) => {
    const { op, id, bytes } = JSON.parse(line) as { op: string; id: number; bytes: number };
    if (op === "allocate") sizes.set(id, bytes);
    else if (op === "release" && !sizes.delete(id)) throw new Error("a release of nothing");
  });
  bytesOfLog.set(adaptor, () => [...sizes.values()].reduce((sum, size) => sum + size, 0));
  return adaptor;
}

describeAllocator("LogAdaptor", logged, { usedBytes: (allocator) => bytesOfLog.get(allocator)?.() ?? NaN });

describeAllocator("FallbackAdaptor", ({ upstream }) => new FallbackAdaptor(upstream, upstream));

describeAllocator("RetryAdaptor", ({ upstream }) => new RetryAdaptor(upstream));

describeAllocator("FailureCallbackAdaptor", ({ upstream }) => {
  return new FailureCallbackAdaptor(upstream, (_bytes, _error, attempts) => attempts < 3);
});

describeAllocator("AlignedAdaptor", ({ upstream }) => new AlignedAdaptor(upstream, 512), { alignment: 128 });

describeAllocator(
  "all adaptors on each other",
  ({ upstream, context }) =>
    new LimitAdaptor(
      new TrackAdaptor(
        new StatisticsAdaptor(
          new RetryAdaptor(
            new FallbackAdaptor(new AlignedAdaptor(upstream, 64), new LimitAdaptor(new DeferredAllocator(context), 0)),
          ),
        ),
        { stackFrames: 0 },
      ),
      2 ** 40,
    ),
  { usedBytes: (allocator) => allocator.usedBytes },
);

/** A user-defined adaptor. */
class PlusOneAdaptor extends Adaptor {
  protected override provide(bytes: number): DeviceBuffer | null {
    return this.take(bytes === 0 ? 0 : bytes + 1);
  }
}

describeAllocator("a user-defined adaptor", ({ upstream }) => new PlusOneAdaptor(upstream));
