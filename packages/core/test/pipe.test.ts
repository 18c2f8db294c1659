/** Pipes: on devices that support them, and always on the fake driver. */
import { expect, test } from "vitest";
import { CommandQueue, DeviceBuffer, MemFlags, MemObjectType, OpenCLError, Pipe, Program } from "@cl/core";

import { context, device } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";
import { needs } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";
import { wrongType } from "@cl/testing/error-like";

function hasPipes(): boolean {
  try {
    return device.pipeSupport;
  } catch (error) {
    if (error instanceof OpenCLError) return device.version.startsWith("OpenCL 2.");
    throw error;
  }
}

const source = `
__kernel void produce(__write_only pipe int out) { int i = (int)get_global_id(0); write_pipe(out, &i); }
__kernel void consume(__read_only pipe int in, __global int *sum) {
  int i;
  if (read_pipe(in, &i) == 0) atomic_add(sum, i);
}`;

test("kernels pass packets through a pipe", async (run) => {
  needs(run, hasPipes(), `'${device.name}' does not support pipes`);
  const queue = new CommandQueue(context);
  const pipe = new Pipe(context, { packetSize: 4, maxPackets: 64 });
  const program = new Program(context, source).buildSync({ options: "-cl-std=CL2.0" });
  const sum = DeviceBuffer.from(context, Int32Array.of(0));
  program.kernel("produce").launch(queue, { global: 64 }, pipe);
  program.kernel("consume").launch(queue, { global: 64 }, pipe, sum);
  expect(await queue.read(sum)).toEqual(Int32Array.of((63 * 64) / 2));
});

test("a pipe reports the options that it was created with", (run) => {
  needs(run, hasPipes(), `'${device.name}' does not support pipes`);
  using pipe = new Pipe(context, { packetSize: 16, maxPackets: 8, label: "p" });
  expect(pipe).toMatchObject({ packetSize: 16, maxPackets: 8, size: 128, objectType: MemObjectType.PIPE });
  expect(Pipe.fromPointer(context, pipe.pointer).equals(pipe)).toBe(true);
});

test("throws NotSupportedError on a device without pipes", () => {
  if (hasPipes()) return;
  expect(() => new Pipe(context, { packetSize: 4, maxPackets: 4 })).toThrow(notSupported());
});

test("rejects options without a packet size", () => {
  expect(() => new Pipe(context, { maxPackets: 4 } as never)).toThrow(wrongType("options.packetSize"));
});

test("the fake driver creates, queries and adopts pipes, passes them to kernels, and frees them", async () => {
  const { lines } = await onFake(
    `
    import { collectGarbage } from "@cl/base/testing";
    const pipe = new Pipe(context, { packetSize: 16, maxPackets: 8, label: "p" });
    console.log(String(pipe), pipe.flags, pipe.properties.length, pipe.size);
    console.log(new DataView(pipe.getPipeInfo(PipeInfo.MAX_PACKETS).buffer).getUint32(0, true));
    const adopted = MemoryObject.fromPointer(context, pipe.pointer);
    console.log(adopted instanceof Pipe, adopted.packetSize, adopted.equals(pipe));
    const buffer = new DeviceBuffer(context, 16);
    console.log(codeOf(() => Pipe.fromPointer(context, buffer.pointer)));
    console.log(codeOf(() => new Pipe(context, { packetSize: 4096, maxPackets: 1 })));
    const program = new Program(context, "__kernel void f(__read_only pipe int in) { }").buildSync();
    const kernel = program.kernel("f");
    console.log(kernel.argTypes.join());
    kernel.launch(queue, { global: 1 }, pipe);
    for (const wrong of [buffer, 5, null, new Sampler(context)]) {
      console.log(codeOf(() => kernel.launch(queue, { global: 1 }, wrong)));
    }
    pipe.release();
    console.log(codeOf(() => kernel.launch(queue, { global: 1 }, pipe)));
    for (const one of [adopted, buffer, program, queue, context]) one.release();
    await collectGarbage();`,
    { env: { FAKE_CL_PIPES: "1" } },
  );
  expect(lines).toEqual([
    `Pipe "p" { 8 packets of 16 bytes } ${MemFlags.READ_WRITE + MemFlags.HOST_NO_ACCESS} 0 128`,
    "8",
    "true 16 true",
    "ERR_INVALID_ARG_TYPE",
    "ERR_OUT_OF_RANGE",
    "pipe int",
    ...Array<string>(4).fill("ERR_INVALID_ARG_TYPE"),
    "ERR_CL_DISPOSED",
  ]);
});
