/** Measures the bandwidth of local memory and estimates its banks. */
import { DeviceLocalMemType, type Kernel } from "@cl/core";

import { estimateBanks } from "./bank-estimate.js";
import type { LocalMemoryCharacteristics } from "./characteristics.js";
import { localMemorySource, localReads, localWidths, strideItems } from "./kernels/local-memory.js";
import { type Figures, measure, type Measuring } from "./measuring.js";
import type { Probe } from "./sampler.js";

export async function measureLocalMemory(measuring: Measuring): Promise<Figures<LocalMemoryCharacteristics>> {
  const { bench, quick } = measuring;
  const { device, queue } = bench;
  const dedicated = device.localMemType === DeviceLocalMemType.LOCAL;
  const widest = Math.max(...localWidths) * 4;
  const groupSize = 2 ** Math.floor(Math.log2(Math.min(256, device.maxWorkGroupSize, device.localMemSize / widest)));
  // Enough for strides up to 128 words with 64 work-items if available; a quarter of the memory is left to the driver.
  const words = 2 ** Math.floor(Math.log2(Math.min(strideItems * 128, (device.localMemSize * 0.75) / 4)));
  if (!(groupSize >= 1) || device.maxWorkGroupSize < strideItems || words < strideItems) {
    const reason = `the device has only ${device.localMemSize} bytes and a maximum work-group size of ${device.maxWorkGroupSize}`;
    return {
      dedicated,
      read: [],
      strides: [],
      banks: { observable: false, reason },
      notes: [`localMemory: ${reason}`],
    };
  }
  const program = await bench.program(localMemorySource(groupSize, words));
  const groups = device.maxComputeUnits * (bench.isCpu ? 32 : 64);
  const out = bench.buffer(groups * Math.max(groupSize, strideItems) * 4);

  const readers = localWidths.map((width) => {
    const kernel: Kernel = bench.own(program.kernel(`read_${width}`));
    const bound = bench.own(kernel.bind({ global: groups * groupSize, local: groupSize }, out, 1));
    const bytes = groups * groupSize * localReads * width * 4;
    const run = (count: number): Promise<number> => bench.timed(queue, count, () => bound.launch(queue));
    return { name: `read_${width}`, width, bytes, run };
  });
  const strideKernel: Kernel = bench.own(program.kernel("stride"));
  const strides = (quick ? quickStrides : allStrides).filter((stride) => stride * strideItems <= words);
  const walkers = strides.map((stride) => {
    const sizes = { global: groups * strideItems, local: strideItems };
    const bound = bench.own(strideKernel.bind(sizes, out, stride, 1));
    const run = async (count: number): Promise<number> =>
      (await bench.timed(queue, count, () => bound.launch(queue))) / localReads;
    return { name: `stride ${stride}`, stride, run };
  });
  const outcome = await measure<Probe>(measuring, [...readers, ...walkers]);
  const points = walkers.flatMap((walker) => {
    const time = outcome.time(walker);
    return time === undefined ? [] : [{ stride: walker.stride, time }];
  });
  return {
    dedicated,
    read: readers.flatMap((reader) => {
      const rate = outcome.rate(reader, reader.bytes, "B/s");
      return rate === undefined ? [] : [{ width: reader.width, rate }];
    }),
    strides: points,
    banks: estimateBanks(points.map(({ stride, time }) => ({ stride, time: time.median }))),
    notes: outcome.notes,
  };
}

/** Conflicts grow with powers of two until all work-items access one bank; odd strides never conflict. */
const allStrides = [1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 128];
const quickStrides = [1, 2, 4, 8, 16, 32, 33, 64, 128];
