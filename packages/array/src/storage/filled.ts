/** Creation of arrays that are filled immediately. */
interface Released {
  release(): void;
}

/** Fills a new array and returns it. If filling throws, releases the array. */
export function filled<A extends Released>(array: A, fill: (array: A) => void): A {
  try {
    fill(array);
  } catch (error) {
    array.release();
    throw error;
  }
  return array;
}

/** Calls a function with temporary views, and releases them afterwards. */
export function withViews<V extends Released, R>(views: readonly V[], make: (views: readonly V[]) => R): R {
  try {
    return make(views);
  } finally {
    for (const view of views) view.release();
  }
}
