/** The two substances on the host: the initial state, and a step in plain JavaScript to verify the device. */

/** Concentrations on a square with `size` cells per side and periodic boundaries, row by row. */
export interface Fields {
  readonly size: number;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** Rates of feeding u and removing v, and the timestep. */
export interface Rates {
  readonly feed: number;
  readonly kill: number;
  readonly dt: number;
}

/** Returns the initial state: u everywhere, with spots of v that are the same in each run. */
export function initialFields(size: number): Fields {
  const [u, v] = [new Float32Array(size * size).fill(1), new Float32Array(size * size)];
  const random = generator(1);
  const spots = Math.max(1, Math.round((size / 40) ** 2));
  for (let spot = 0; spot < spots; spot++) {
    const [left, top, radius] = [random() * size, random() * size, 3 + 5 * random()];
    for (let y = Math.floor(top - radius); y <= top + radius; y++) {
      for (let x = Math.floor(left - radius); x <= left + radius; x++) {
        if (Math.hypot(x - left, y - top) > radius) continue;
        const cell = wrapped(y, size) * size + wrapped(x, size);
        u[cell] = 0.5;
        v[cell] = 0.25;
      }
    }
  }
  return { size, u, v };
}

/** Returns the fields after a step, computed in double precision and independently of the kernels. */
export function plainStep({ size, u, v }: Fields, { feed, kill, dt }: Rates): Fields {
  const spread = (field: Float32Array, rate: number): Float64Array => {
    const out = new Float64Array(field.length);
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        let sum = 0;
        for (const [dx, dy, weight] of neighbors) {
          sum += weight * (field[wrapped(y + dy, size) * size + wrapped(x + dx, size)] as number);
        }
        const here = field[y * size + x] as number;
        out[y * size + x] = here + rate * dt * (sum - here);
      }
    }
    return out;
  };
  const [a, b] = [spread(u, 1), spread(v, 0.5)];
  const reaction = a.map((value, i) => value * (b[i] as number) ** 2);
  return {
    size,
    u: Float32Array.from(a, (value, i) => value + dt * (feed * (1 - value) - (reaction[i] as number))),
    v: Float32Array.from(b, (value, i) => value + dt * ((reaction[i] as number) - (feed + kill) * value)),
  };
}

/** Returns the largest difference of two states in any cell, Infinity if a value is NaN. */
export function difference(one: Fields, other: Fields): number {
  const largest = (a: Float32Array, b: Float32Array): number =>
    a.reduce((most, value, i) => {
      const delta = Math.abs(value - (b[i] as number));
      return delta <= most ? most : Number.isNaN(delta) ? Infinity : delta;
    }, 0);
  return Math.max(largest(one.u, other.u), largest(one.v, other.v));
}

const neighbors = [
  [-1, -1, 0.05],
  [0, -1, 0.2],
  [1, -1, 0.05],
  [-1, 0, 0.2],
  [1, 0, 0.2],
  [-1, 1, 0.05],
  [0, 1, 0.2],
  [1, 1, 0.05],
] as const;

function wrapped(i: number, size: number): number {
  return ((i % size) + size) % size;
}

/** A linear congruential generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
