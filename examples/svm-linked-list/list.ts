/** A linked list in shared virtual memory: the host writes the pointers, kernels follow and reverse them. */
import { type CommandQueue, Program, SvmAllocation } from "@cl/core";

import { listSource } from "./list.cl.js";

/** Result of {@link reversed}. */
export interface Reversed {
  /** Sum of the values, computed by a kernel that follows the list. */
  readonly total: bigint;
  /** Values in the order of the reversed list, read by the host. */
  readonly values: bigint[];
}

/** Size of a node: a value and a pointer of 8 bytes each. */
const nodeBytes = 16;

/** Builds a list with scattered nodes, sums and reverses it on the device, and follows it on the host. */
export async function reversed(queue: CommandQueue, values: readonly bigint[]): Promise<Reversed> {
  const { context } = queue;
  const count = values.length;
  // Coarse-grained memory, which every device with SVM supports. The host may access it only while it is mapped.
  using nodes = new SvmAllocation(context, nodeBytes * count);
  using results = new SvmAllocation(context, 16);
  const addressOf = (slot: number): bigint => nodes.pointer + BigInt(nodeBytes * slot);
  // A pseudorandom permutation, which scatters the nodes.
  const slots = values.map((_, i) => i).toSorted((a, b) => Math.sin(a + 1) - Math.sin(b + 1));
  {
    await using mapped = await nodes.mapWrite(queue, BigUint64Array);
    for (const [i, value] of values.entries()) {
      const [slot, next] = [slots[i] as number, slots[i + 1]];
      mapped.data[2 * slot] = BigInt.asUintN(64, value);
      mapped.data[2 * slot + 1] = next === undefined ? 0n : addressOf(next);
    }
  }
  const program = await new Program(context, listSource).build();
  // All nodes are in the allocation passed as an argument. Kernels need setSvmPointers for other allocations.
  const first = nodes.part(nodeBytes * (slots[0] as number));
  program.kernel("total").launch(queue, { global: 1 }, first, results);
  program.kernel("reverse").launch(queue, { global: 1 }, first, results.part(8));
  const [total = 0n, start = 0n] = await queue.read(results, BigInt64Array);

  const found: bigint[] = [];
  await using mapped = await nodes.mapRead(queue, BigUint64Array);
  for (let address = BigInt.asUintN(64, start); address !== 0n;) {
    const slot = Number(address - nodes.pointer) / nodeBytes;
    found.push(BigInt.asIntN(64, mapped.data[2 * slot] as bigint));
    address = mapped.data[2 * slot + 1] as bigint;
  }
  return { total, values: found };
}
