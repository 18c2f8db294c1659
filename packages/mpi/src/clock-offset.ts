/**
 * Differences of the clocks of ranks. Each machine has its own monotonic clock, which starts with the machine. A rank asks the root
 * for its time; the answer is of a moment between the question and the answer, so that half of that time is the largest error. The
 * fastest of many answers is used.
 */
import type { Communicator } from "./communicator.js";

/** Returns the clock of a machine in nanoseconds, by which traces are merged. */
function now(): number {
  return Number(process.hrtime.bigint());
}

/** Questions of each rank. Those that wait for the root to be ready are slow. */
const questions = 200;

/** Returns what has to be added to times of this rank for times of the root. A collective operation. */
export async function clockOffset(communicator: Communicator, root: number): Promise<number> {
  // Its own communicator, because the program may wait for messages from any rank.
  const own = await communicator.duplicate();
  // So that ranks do not block while others are still busy.
  await own.barrier();
  const offset = own.rank === root ? answer(own) : ask(own, root);
  await own.release();
  return offset;
}

function ask(communicator: Communicator, root: number): number {
  const time = new Float64Array(1);
  let [offset, error] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < questions; i++) {
    const asked = now();
    communicator.sendSync(time, root);
    communicator.recvSync(time, root);
    const answered = now();
    if (answered - asked >= 2 * error) continue;
    error = (answered - asked) / 2;
    offset = (time[0] as number) - (asked + error);
  }
  // Clocks that may be equal are: those of two machines differ by far more.
  return Math.abs(offset) <= error ? 0 : offset;
}

function answer(communicator: Communicator): number {
  const time = new Float64Array(1);
  for (let rank = 0; rank < communicator.size; rank++) {
    for (let i = 0; i < questions && rank !== communicator.rank; i++) {
      communicator.recvSync(time, rank);
      time[0] = now();
      communicator.sendSync(time, rank);
    }
  }
  return 0;
}
