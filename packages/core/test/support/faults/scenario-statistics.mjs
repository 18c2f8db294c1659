/** A scenario with statistics of kernels, lists and other commands. One queue is released before all are counted. */
import {
  CommandQueue,
  CommandStatistics,
  CommandTrace,
  Context,
  DeviceBuffer,
  LaunchList,
  mergeTimeStatistics,
  Program,
} from "@cl/core";

const source = "__kernel void add(__global float *x, float a) { x[get_global_id(0)] += a; }";

export async function scenario() {
  const context = Context.create();
  const queue = new CommandQueue(context, { profiling: true });
  const other = new CommandQueue(context, { profiling: true, outOfOrder: true });
  const x = DeviceBuffer.empty(context, Float32Array, 64);
  const statistics = new CommandStatistics({ bytes: 256 });
  const observer = new CommandStatistics();
  const trace = new CommandTrace({ capacity: 8 }).watch(observer, "add");
  statistics.addObserver(observer);
  const kernel = new Program(context, source).buildSync().kernel("add");
  const add = kernel.bind({ global: 4 }, x, 1);
  add.statistics = statistics;
  const list = new LaunchList(context)
    .push(add)
    .pushFill(x, 0, { statistics, after: [0] })
    .push(add, { after: [1] });
  for (const target of [queue, other]) {
    add.launch(target);
    add.enqueue(target).release();
    list.launch(target);
    list.enqueue(target).release();
    const event = target.enqueueFill(x, 1);
    statistics.add(event);
    event.release();
  }
  other.release();
  statistics.time(() => undefined, { queue });
  await queue.finish();
  mergeTimeStatistics(statistics.snapshot(), observer.drain());
  trace.drain();
  for (const one of [statistics, observer, trace, list, add, kernel, x, queue, context]) one.release();
}
