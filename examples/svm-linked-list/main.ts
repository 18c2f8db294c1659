// A linked list whose pointers are valid on both the host and the device.
import { CommandQueue, Context, DeviceSvmCapabilities } from "@cl/core";

import { reversed } from "./list.js";

const queue = new CommandQueue(Context.create());
if ((queue.device.svmCapabilities & DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) === 0) {
  throw new Error(
    `'${queue.device.name}' does not support shared virtual memory; select another device with CL_DEVICE`,
  );
}

const { total, values } = await reversed(
  queue,
  Array.from({ length: 1000 }, (_, i) => BigInt(i + 1)),
);
console.log(`the device summed the list to ${total} and reversed it`);
console.log(
  `the host followed ${values.length} pointers: ${values.slice(0, 3).join(", ")} … ${values.slice(-2).join(", ")}`,
);
