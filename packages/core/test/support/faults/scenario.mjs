/** The main scenario: uses the whole package, from platforms to launches. For faults at the n-th driver call. */
import {
  CommandQueue,
  Context,
  ContextProperties,
  DeviceBuffer,
  DeviceView,
  getPlatforms,
  GlobalMemoryType,
  Image,
  ImageFormat,
  imageFromArray,
  Kernel,
  LaunchList,
  LocalMemory,
  Program,
  Sampler,
  StructLayoutError,
  structType,
  SvmAllocation,
  UserEvent,
  verifyLayout,
  waitForEvents,
} from "@cl/core";

const source = `
__kernel void add(__global float *x, float a, int n) { if (get_global_id(0) < n) x[get_global_id(0)] += a; }
__kernel void part(__global float *x, __local float *scratch) { x[0] = scratch[0]; }
`;
const box = { region: [4, 2], sourcePitches: [8], targetPitches: [8] };

// At module level, because a context's listener lives as long as the process and keeps its closure alive.
const ignore = () => undefined;

/** Runs the scenario. Both awaited and other commands must end. */
export async function scenario() {
  const platform = getPlatforms()[0];
  const [device] = platform.getDevices();
  const context = new Context(device, { properties: new ContextProperties({ platform }), onMessage: ignore });
  const queue = new CommandQueue(context, { profiling: true });
  const other = new CommandQueue(context, { outOfOrder: true });

  const program = await new Program(context, source).build();
  const compiled = await new Program(context, source).compile({ headers: { "a.h": "int a;" } });
  const linked = await Program.link(context, [compiled]);
  const again = await Program.fromBinaries(context, program.binaries).build();
  new Program(context, source).buildSync();

  const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
  const y = DeviceBuffer.empty(context, Float32Array, 4);
  const own = new DeviceBuffer(context, { host: new Float32Array(4), hostPointer: "use" });
  const half = x.slice(0, 2);
  const bytes = x.as(Uint8Array);
  y.onDestroyed(() => undefined);

  await queue.write(x, Float32Array.of(5, 6, 7, 8));
  queue.writeSync(x, Float32Array.of(5, 6, 7, 8));
  const copied = queue.enqueueCopy(y, x);
  const boxed = queue.enqueueCopy(y, x, { ...box, waitFor: copied });
  queue.copySync(new Float32Array(4), x, box);
  queue.copySync(x, new Float32Array(4), box);
  const filled = queue.enqueueFill(own, new Uint8Array(1));
  const moved = queue.enqueueMigrate([x, y]);
  await waitForEvents([copied, boxed, filled, moved]);
  const mapped = await queue.map(x);
  mapped.data.fill(1);
  mapped.release();
  const mappedToo = queue.mapSync(y);
  mappedToo.data.fill(2);
  await Promise.all([queue.read(x), queue.read(x, { into: new Float32Array(4) }), queue.read(half)]);
  queue.readSync(bytes);

  const image = Image.empty(context, new ImageFormat("R", "FLOAT"), [2, 2]);
  const ownImage = new Image(context, {
    format: new ImageFormat("R", "FLOAT"),
    shape: [2, 2],
    host: new Float32Array(4),
    hostPointer: "use",
  });
  const over = new Image(context, { format: new ImageFormat("R", "FLOAT"), shape: [4], buffer: x });
  const made = imageFromArray(context, { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] });
  const adopted = Image.fromPointer(context, over.pointer);
  await queue.write(image, new Float32Array(4));
  queue.writeSync(ownImage, new Float32Array(4));
  const imageCopies = [
    queue.enqueueCopy(image, made),
    queue.enqueueCopy(over, image, { region: [2] }),
    queue.enqueueCopy(y, image),
    queue.enqueueCopy(image, y),
    queue.enqueueFill(image, [1, 0, 0, 0]),
    queue.enqueueFill(over, [1, 0, 0, 0]),
  ];
  await waitForEvents(imageCopies);
  const mappedImage = await queue.map(image);
  mappedImage.set(new Float32Array(4));
  mappedImage.release();
  queue.mapSync(ownImage).release();
  await Promise.all([queue.read(image), queue.read(over, { into: new Float32Array(4) })]);
  queue.readSync(made);
  void [image.rowPitch, adopted.slicePitch];
  for (const one of [made, over, adopted, image]) one.release();
  const view = DeviceView.fromHost(context, Float32Array.of(1, 2, 3, 4), { shape: [2, 2] });
  const turned = view.transpose().slice(":", "::-1");
  await Promise.all([view.read(queue), turned.read(queue), view.slice(":", 0).read(queue)]);
  turned.writeSync(queue, [
    [1, 2],
    [3, 4],
  ]);
  await view.write(queue, Float32Array.of(5, 6, 7, 8));
  view.enqueueCopyFrom(queue, turned);
  const compact = await turned.copy(queue);
  void compact.slice(0, 0).itemSync(queue);
  const mappedView = await turned.map(queue);
  mappedView.view.fill(1);
  mappedView.release();
  queue.mapSync(x, { dtype: "float32", shape: [2, 2], order: "F", access: "read" }).release();
  compact.release();

  const add = program.kernel("add");
  add.launch(queue, { global: 4 }, view, 1, 4);
  view.release();
  add.launch(queue, { global: 4 }, x, 1, 4);
  add.launchAndFinishSync(queue, { global: 4, local: 2 }, y, 1, 4);
  add.setArgs(x, 2, 4).launchWithSetArgs(queue, { global: 4 });
  const bound = add.bind({ global: 4 }, x, 1, 4);
  bound.launch(queue);
  const clone = add.clone();
  const part = new Kernel(linked, "part");
  const launched = part.enqueue(
    queue,
    { global: 4, waitFor: add.enqueue(queue, { global: 4 }, x, 1, 4) },
    x,
    new LocalMemory(16),
  );
  const same = again.kernel("add");
  // The runtime may have no argument types.
  same.argTypes = [null, "float", "int"];
  same.launch(queue, { global: 4 }, x, 1, 4);
  same.argTypes = [new GlobalMemoryType("float32", { shape: [4], const: true, context }), "float", "int"];
  same.launch(queue, { global: 4 }, new Float32Array(4), 1, 4);
  // The fake compiler has no struct layouts.
  await verifyLayout(queue, structType("pair", { x: "float3", n: "int32" })).catch((/** @type {unknown} */ error) => {
    if (!(error instanceof StructLayoutError)) throw error;
  });
  const list = new LaunchList(context).push(bound).pushCopy(y, x).pushFill(own, Uint8Array.of(0)).pushBarrier();
  list.launch(other);
  await list.enqueue(other).wait();
  await launched.wait();
  void launched.duration;

  const sampler = new Sampler(context, { normalizedCoordinates: false });
  Sampler.fromPointer(context, sampler.pointer).release();
  void sampler.addressingMode;
  await sharedMemory(context, queue, other, add);
  await queue.enqueueHostFunction(async () => 1).wait();
  await other.enqueueHostFunction(() => 2, { waitFor: launched }).wait();
  await hostFunctionFails(queue.enqueueHostFunction(() => Promise.reject(new Error("on purpose"))));

  const user = new UserEvent(context);
  const after = other.enqueueMarker(user);
  const completed = new Promise((resolve) => after.onStatus("complete", resolve));
  // Avoids an unhandled rejection if a call below throws first.
  completed.catch(() => undefined);
  user.complete();
  await completed;
  other.enqueueBarrier();
  other.enqueueWaitForEvents(after);
  await queue.finish();
  other.finishSync();
  for (const one of [clone, part, list, bound, half, bytes, mappedToo, own, x, y, queue]) one.release();
}

/** Uses shared virtual memory in every way. */
async function sharedMemory(context, queue, other, add) {
  const coarse = new SvmAllocation(context, 16, { queue });
  const fine = new SvmAllocation(context, 16, { kind: "fine-buffer" });
  fine.array(Float32Array).set([1, 2, 3, 4]);
  await queue.write(coarse, Float32Array.of(1, 2, 3, 4));
  queue.writeSync(coarse, Float32Array.of(1));
  add.setSvmPointers([fine]);
  add.launch(queue, { global: 4 }, coarse, 1, 4);
  add.launch(other, { global: 2 }, fine.part(8), 1, 2);
  const bound = add.bind({ global: 4 }, fine, 1, 4);
  bound.launch(other);
  new LaunchList(context).push(bound).launch(other);
  await queue.enqueueSvmFill(coarse, Uint8Array.of(7), { bytes: 4 }).wait();
  await queue.enqueueSvmMigrate([coarse, fine]).wait();
  await queue.enqueueCopy(coarse, fine).wait();
  queue.copySync(new Float32Array(4), coarse);
  queue.copySync(coarse.asBuffer(), fine, box);
  await queue.read(coarse);
  const mapped = await coarse.mapReadWrite(queue, Float32Array);
  mapped.data.fill(1);
  await mapped.unmap().wait();
  fine.mapReadSync(queue).release();
  fine.bindToQueue(queue);
  await fine.unbindFromQueue();
  await coarse.enqueueRelease().wait();
  for (const one of [bound, fine]) one.release();
}

async function hostFunctionFails(event) {
  try {
    await event.wait();
  } catch (error) {
    if (error.code !== "ERR_CL_HOST_FUNCTION") throw error;
  }
}
