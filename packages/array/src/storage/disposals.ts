/** A stack of objects to dispose together; `DisposableStack` does not exist in every engine yet. */

/** Gives everything back in the opposite order. */
export class Disposals implements Disposable {
  readonly #all: (() => void)[] = [];

  /** Also this, which it gives. */
  use<T extends Disposable>(value: T): T {
    this.#all.push(() => {
      value[Symbol.dispose]();
    });
    return value;
  }

  /** Also calls this. */
  defer(call: () => void): void {
    this.#all.push(call);
  }

  [Symbol.dispose](): void {
    for (let call = this.#all.pop(); call !== undefined; call = this.#all.pop()) call();
  }
}
