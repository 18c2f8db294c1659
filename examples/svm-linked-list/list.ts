/** A linked list in shared virtual memory: the host writes the pointers, a kernel follows and turns them. */
import { type CommandQueue, Program, SvmAllocation } from "@cl/core";

import { listSource } from "./list.cl.js";

/** What came of it. */
export interface Reversed {
  /** The sum of the values, as a kernel found it along the list. */
  readonly total: bigint;
  /** The values in the order in which the host finds them afterwards. */
  readonly values: bigint[];
}

/** A node has a value and a pointer, of 8 bytes each. */
const nodeBytes = 16;

/** Makes a list of the values, whose nodes lie anywhere; has it added up and turned round; and follows it. */
export async function reversed(queue: CommandQueue, values: readonly bigint[]): Promise<Reversed> {
  const { context } = queue;
  const count = values.length;
  // Coarse-grained memory, which all devices with shared virtual memory have: the host touches it while it is mapped.
  using nodes = new SvmAllocation(context, nodeBytes * count);
  using results = new SvmAllocation(context, 16);
  const addressOf = (place: number): bigint => nodes.pointer + BigInt(nodeBytes * place);
  // Any order that has each place once: the list jumps to and fro.
  const places = values.map((_, i) => i).toSorted((a, b) => Math.sin(a + 1) - Math.sin(b + 1));
  {
    await using mapped = await nodes.mapWrite(queue, BigUint64Array);
    for (const [i, value] of values.entries()) {
      const [place, next] = [places[i] as number, places[i + 1]];
      mapped.data[2 * place] = BigInt.asUintN(64, value);
      mapped.data[2 * place + 1] = next === undefined ? 0n : addressOf(next);
    }
  }
  const program = await new Program(context, listSource).build();
  // All nodes are in one allocation, which is an argument; others would have to be named with setSvmPointers.
  const first = nodes.part(nodeBytes * (places[0] as number));
  program.kernel("total").launch(queue, { global: 1 }, first, results);
  program.kernel("reverse").launch(queue, { global: 1 }, first, results.part(8));
  const [total = 0n, start = 0n] = await queue.read(results, BigInt64Array);

  const found: bigint[] = [];
  await using mapped = await nodes.mapRead(queue, BigUint64Array);
  for (let address = BigInt.asUintN(64, start); address !== 0n;) {
    const place = Number(address - nodes.pointer) / nodeBytes;
    found.push(BigInt.asIntN(64, mapped.data[2 * place] as bigint));
    address = mapped.data[2 * place + 1] as bigint;
  }
  return { total, values: found };
}
