import type { DeviceBuffer, SvmAllocation, SvmPointer } from "@cl/core";
import { ImmediateAllocator, LimitAdaptor, MemoryPool, SvmAllocator, SvmPool } from "@cl/tools";
import { type AllocatorSetting, describeAllocator } from "@cl/tools/testing";

type Setting = AllocatorSetting<DeviceBuffer>;
const books = { zeroIsNull: false, usedBytes: (pool: MemoryPool): number => pool.activeBytes };

describeAllocator("MemoryPool", ({ upstream }: Setting) => new MemoryPool(upstream), books);

describeAllocator(
  "MemoryPool of an ImmediateAllocator with a limit",
  ({ queue }: Setting) =>
    new MemoryPool(new LimitAdaptor(new ImmediateAllocator(queue), 2 ** 26), { maxBytes: 2 ** 25 }),
  books,
);

describeAllocator(
  "MemoryPool that holds nothing",
  ({ upstream }: Setting) => {
    const pool = new MemoryPool(upstream);
    pool.stopHolding();
    return pool;
  },
  books,
);

describeAllocator(
  "MemoryPool on a MemoryPool",
  ({ upstream }: Setting) => new MemoryPool(new MemoryPool(upstream)),
  books,
);

describeAllocator("named MemoryPool", ({ upstream }: Setting) => new MemoryPool(upstream).named("test"), {
  zeroIsNull: false,
});

describeAllocator(
  "SvmPool",
  ({ upstream }: AllocatorSetting<SvmPointer>) => new SvmPool(upstream as AllocatorSetting<SvmAllocation>["upstream"]),
  { memory: "svm", zeroIsNull: false, usedBytes: (pool) => pool.activeBytes },
);

describeAllocator(
  "SvmPool of an SvmAllocator with a queue",
  ({ queue }) => {
    return new SvmPool(new SvmAllocator(queue.context, { queue }));
  },
  { memory: "svm", zeroIsNull: false },
);
