/** A scenario with borrowed memory on several queues, one of which is released in between. */
import { BorrowedBuffer, BorrowedSvm, CommandQueue, Context, DeviceBuffer, Program, SvmAllocation } from "@cl/core";

const source = "__kernel void add(__global float *x, float a) { x[get_global_id(0)] += a; }";
// At module level, because borrowed memory is not collected while its lender refers to it.
const lender = { takeBack: () => undefined };
const sizes = { global: 4 };

export async function scenario() {
  const context = Context.create();
  const queue = new CommandQueue(context);
  const other = new CommandQueue(context, { outOfOrder: true });
  const add = new Program(context, source).buildSync().kernel("add");
  for (const [block, Borrowed] of [
    [new DeviceBuffer(context, 256), BorrowedBuffer],
    [new SvmAllocation(context, 256), BorrowedSvm],
  ]) {
    const third = new CommandQueue(context);
    const first = new Borrowed(block, 256, lender);
    add.launch(queue, sizes, first, 1);
    add.launch(third, sizes, first, 1);
    first.release();
    const second = new Borrowed(block, 16, lender);
    add.launch(other, sizes, second, 1);
    const mapped = Borrowed === BorrowedBuffer ? await queue.map(second.as(Float32Array)) : await second.map(queue);
    mapped.unmap();
    second.release();
    third.release();
    const last = new Borrowed(block, 256, lender);
    await (Borrowed === BorrowedBuffer ? queue.write(last, new Uint8Array(256)) : last.ready());
    last.release();
    block.release();
  }
  await queue.finish();
  await other.finish();
  for (const one of [add, queue, other, context]) one.release();
}
