import type { SvmPointer } from "@cl/core";
import {
  AlignedAdaptor,
  FailureCallbackAdaptor,
  FallbackAdaptor,
  LimitAdaptor,
  LogAdaptor,
  RetryAdaptor,
  StatisticsAdaptor,
  SvmAllocator,
  TrackAdaptor,
} from "@cl/tools";
import { type AllocatorSetting, describeAllocator } from "@cl/tools/testing";

type Setting = AllocatorSetting<SvmPointer>;

describeAllocator("SvmAllocator", ({ context }) => new SvmAllocator(context), { memory: "svm" });

describeAllocator("SvmAllocator with a queue", ({ context, queue }) => new SvmAllocator(context, { queue }), {
  memory: "svm",
});

describeAllocator("SvmAllocator with an alignment", ({ context }) => new SvmAllocator(context, { alignment: 64 }), {
  memory: "svm",
  alignment: 64,
});

describeAllocator("LimitAdaptor on SVM", ({ upstream }: Setting) => new LimitAdaptor(upstream, 2 ** 40), {
  memory: "svm",
  usedBytes: (allocator) => allocator.usedBytes,
});

describeAllocator("TrackAdaptor on SVM", ({ upstream }: Setting) => new TrackAdaptor(upstream), {
  memory: "svm",
  usedBytes: (allocator) => allocator.outstandingBytes,
});

describeAllocator("StatisticsAdaptor on SVM", ({ upstream }: Setting) => new StatisticsAdaptor(upstream), {
  memory: "svm",
  usedBytes: (allocator) => allocator.snapshot().bytes.current,
});

describeAllocator("LogAdaptor on SVM", ({ upstream }: Setting) => new LogAdaptor(upstream, () => undefined), {
  memory: "svm",
});

describeAllocator("FallbackAdaptor on SVM", ({ upstream }: Setting) => new FallbackAdaptor(upstream, upstream), {
  memory: "svm",
});

describeAllocator("RetryAdaptor on SVM", ({ upstream }: Setting) => new RetryAdaptor(upstream), { memory: "svm" });

describeAllocator(
  "FailureCallbackAdaptor on SVM",
  ({ upstream }: Setting) => new FailureCallbackAdaptor(upstream, (_bytes, _error, attempts) => attempts < 2),
  { memory: "svm" },
);

describeAllocator("AlignedAdaptor on SVM", ({ upstream }: Setting) => new AlignedAdaptor(upstream, 128), {
  memory: "svm",
});
