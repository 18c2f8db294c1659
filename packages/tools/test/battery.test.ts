/** The tests of describeAllocator on every allocator, adaptor and pool. */
import type { DeviceBuffer, SvmAllocation, SvmPointer } from "@cl/core";
import {
  Adaptor,
  AlignedAdaptor,
  DeferredAllocator,
  FallbackAdaptor,
  ImmediateAllocator,
  LimitAdaptor,
  MemoryPool,
  RetryAdaptor,
  StatisticsAdaptor,
  SvmAllocator,
  SvmPool,
  TrackAdaptor,
} from "@cl/tools";
import { type AllocatorSetting, describeAllocator } from "@cl/tools/testing";
import { describe } from "vitest";

import { adaptors, usedBytes } from "./support/adaptors.js";

type Buffers = AllocatorSetting<DeviceBuffer>;
type Svm = AllocatorSetting<SvmPointer>;
const books = { zeroIsNull: false, usedBytes: (pool: MemoryPool): number => pool.activeBytes };

describeAllocator("ImmediateAllocator", ({ queue }) => new ImmediateAllocator(queue));

describeAllocator("SvmAllocator", ({ context }) => new SvmAllocator(context, { alignment: 64 }), {
  memory: "svm",
  alignment: 64,
});

describeAllocator("MemoryPool", ({ upstream }: Buffers) => new MemoryPool(upstream), books);

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
  { usedBytes },
);

/** A user-defined adaptor. */
class PlusOneAdaptor extends Adaptor {
  protected override provide(bytes: number): DeviceBuffer | null {
    return this.take(bytes === 0 ? 0 : bytes + 1);
  }
}

describe("in CI", { tags: "ci" }, () => {
  describeAllocator("DeferredAllocator", ({ context }) => new DeferredAllocator(context));
  describeAllocator("DeferredAllocator of host-accessible memory", ({ context }) => {
    return new DeferredAllocator(context, { hostPointer: "alloc" });
  });
  describeAllocator("SvmAllocator with a queue", ({ context, queue }) => new SvmAllocator(context, { queue }), {
    memory: "svm",
  });
  describeAllocator("a user-defined adaptor", ({ upstream }) => new PlusOneAdaptor(upstream));
  for (const [name, make] of adaptors) {
    describeAllocator(name, ({ upstream }: Buffers) => make(upstream), { usedBytes });
  }

  describeAllocator(
    "MemoryPool of an ImmediateAllocator with a limit",
    ({ queue }: Buffers) =>
      new MemoryPool(new LimitAdaptor(new ImmediateAllocator(queue), 2 ** 26), { maxBytes: 2 ** 25 }),
    books,
  );
  describeAllocator(
    "MemoryPool that holds nothing",
    ({ upstream }: Buffers) => {
      const pool = new MemoryPool(upstream);
      pool.stopHolding();
      return pool;
    },
    books,
  );
  describeAllocator(
    "MemoryPool on a MemoryPool",
    ({ upstream }: Buffers) => new MemoryPool(new MemoryPool(upstream)),
    books,
  );
  describeAllocator("named MemoryPool", ({ upstream }: Buffers) => new MemoryPool(upstream).named("test"), {
    zeroIsNull: false,
  });
  describeAllocator(
    "SvmPool",
    ({ upstream }: Svm) => new SvmPool(upstream as AllocatorSetting<SvmAllocation>["upstream"]),
    { memory: "svm", zeroIsNull: false, usedBytes: (pool) => pool.activeBytes },
  );
  describeAllocator(
    "SvmPool of an SvmAllocator with a queue",
    ({ context, queue }) => new SvmPool(new SvmAllocator(context, { queue })),
    { memory: "svm", zeroIsNull: false },
  );
});

describe.each(adaptors)("%s on SVM", { tags: "full" }, (name, make) => {
  describeAllocator(name, ({ upstream }: Svm) => make(upstream), { memory: "svm", usedBytes });
});
