/** The adaptors, with arguments that do not affect successful requests. */
import type { Allocation, Allocator, DeviceBuffer, SvmPointer } from "@cl/core";
import {
  type Adaptor,
  AlignedAdaptor,
  FailureCallbackAdaptor,
  FallbackAdaptor,
  LimitAdaptor,
  LogAdaptor,
  RetryAdaptor,
  StatisticsAdaptor,
  TrackAdaptor,
} from "@cl/tools";

/** Creates an adaptor of any kind of memory. */
export type MakeAdaptor = <M extends DeviceBuffer | SvmPointer>(upstream: Allocator<M>) => Adaptor<M>;

export const adaptors: readonly (readonly [name: string, make: MakeAdaptor])[] = [
  ["AlignedAdaptor", (upstream) => new AlignedAdaptor(upstream, 128)],
  ["FailureCallbackAdaptor", (upstream) => new FailureCallbackAdaptor(upstream, (_bytes, _error, tries) => tries < 3)],
  ["FallbackAdaptor", (upstream) => new FallbackAdaptor(upstream, upstream)],
  ["LimitAdaptor", (upstream) => new LimitAdaptor(upstream, 2 ** 40)],
  ["LogAdaptor", (upstream) => new LogAdaptor(upstream, () => undefined)],
  ["RetryAdaptor", (upstream) => new RetryAdaptor(upstream)],
  ["StatisticsAdaptor", (upstream) => new StatisticsAdaptor(upstream)],
  ["TrackAdaptor", (upstream) => new TrackAdaptor(upstream)],
];

/** Returns the bytes in use according to an adaptor, or 0 if it does not count them. */
export function usedBytes<M extends Allocation>(adaptor: Adaptor<M>): number {
  if (adaptor instanceof LimitAdaptor) return adaptor.usedBytes;
  if (adaptor instanceof TrackAdaptor) return adaptor.outstandingBytes;
  return adaptor instanceof StatisticsAdaptor ? adaptor.snapshot().bytes.current : 0;
}
