/** New arrays that get their elements at once. */
interface Released {
  release(): void;
}

/** The array, once it was filled. If that fails nobody gets it, so that its memory is given back. */
export function filled<A extends Released>(array: A, fill: (array: A) => void): A {
  try {
    fill(array);
  } catch (error) {
    array.release();
    throw error;
  }
  return array;
}

/** What is made of views that nobody else sees. */
export function withViews<V extends Released, R>(views: readonly V[], make: (views: readonly V[]) => R): R {
  try {
    return make(views);
  } finally {
    for (const view of views) view.release();
  }
}
