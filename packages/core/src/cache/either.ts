/**
 * Functions that can run synchronously (`runSync`) or asynchronously (`runAsync`).
 *
 * The cache has a blocking and a promise-returning version of every operation. Both run the same generator of steps, so
 * that the logic exists once and only the system calls differ.
 */

/** An operation in its two versions, which must behave the same. */
export interface Step {
  readonly sync: () => unknown;
  readonly async: () => Promise<unknown>;
}

/** A function body made of steps that returns a `T`. Compose bodies with `yield*`. */
export type Either<T> = Generator<Step, T, unknown>;

/** Returns a body that consists of one step. */
export function* step<T>(sync: () => T, async: () => Promise<T>): Either<T> {
  // The runners below resume the generator with the result of the step, so its type is known here.
  return (yield { sync, async }) as T;
}

/** Runs a body with the blocking version of every step. */
export function runSync<T>(body: Either<T>): T {
  let state = body.next();
  while (!state.done) {
    let result: unknown;
    try {
      result = state.value.sync();
    } catch (error) {
      state = body.throw(error);
      continue;
    }
    state = body.next(result);
  }
  return state.value;
}

/** Runs a body with the promise-returning version of every step. */
export async function runAsync<T>(body: Either<T>): Promise<T> {
  let state = body.next();
  while (!state.done) {
    let result: unknown;
    try {
      result = await state.value.async();
    } catch (error) {
      state = body.throw(error);
      continue;
    }
    state = body.next(result);
  }
  return state.value;
}
