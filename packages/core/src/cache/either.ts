/**
 * One body that can run in two ways: at once (`runSync`) or awaited (`runAsync`).
 *
 * The cache has a blocking and a promise-returning form of everything. Written twice they would drift apart, and the
 * rarely used form would keep the bugs. Written as a generator of steps, each with its two forms, the decisions are in
 * one place and only the system calls differ.
 */

/** One operation in its two forms. Both must do the same and fail in the same way. */
export interface Step {
  readonly sync: () => unknown;
  readonly async: () => Promise<unknown>;
}

/** A body made of steps, with its result. Compose bodies with `yield*`. */
export type Either<T> = Generator<Step, T, unknown>;

/** The body that consists of one step. */
export function* step<T>(sync: () => T, async: () => Promise<T>): Either<T> {
  // The runners below answer every step with that step's own result, so the type is known here and nowhere else.
  return (yield { sync, async }) as T;
}

/** Runs a body to its end with the blocking form of every step. */
export function runSync<T>(body: Either<T>): T {
  let state = body.next();
  while (!state.done) {
    let answer: unknown;
    try {
      answer = state.value.sync();
    } catch (error) {
      state = body.throw(error);
      continue;
    }
    state = body.next(answer);
  }
  return state.value;
}

/** Runs a body to its end with the promise-returning form of every step. */
export async function runAsync<T>(body: Either<T>): Promise<T> {
  let state = body.next();
  while (!state.done) {
    let answer: unknown;
    try {
      answer = await state.value.async();
    } catch (error) {
      state = body.throw(error);
      continue;
    }
    state = body.next(answer);
  }
  return state.value;
}
