/** The two substances on the host: how a run begins, and one step in plain JavaScript, to check the device with. */

/** Concentrations, row after row of a square with `size` cells a side, whose opposite sides meet. */
export interface Fields {
  readonly size: number;
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/** How fast the first is fed and the second taken away. */
export interface Rates {
  readonly feed: number;
  readonly kill: number;
  readonly dt: number;
}

/** Only u, but for some spots with v in them, which are the same in each run. */
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

/** One step, cell by cell and with JavaScript's numbers, written without a look at the kernels. */
export function plainStep({ size, u, v }: Fields, { feed, kill, dt }: Rates): Fields {
  const spread = (field: Float32Array, rate: number): Float64Array => {
    const out = new Float64Array(field.length);
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        let sum = 0;
        for (const [dx, dy, weight] of neighbours) {
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

/** The largest difference of two runs, in any cell. */
export function difference(one: Fields, other: Fields): number {
  const largest = (a: Float32Array, b: Float32Array): number =>
    a.reduce((most, value, i) => {
      const apart = Math.abs(value - (b[i] as number));
      // What is no number is as far off as can be.
      return apart <= most ? most : Number.isNaN(apart) ? Infinity : apart;
    }, 0);
  return Math.max(largest(one.u, other.u), largest(one.v, other.v));
}

const neighbours = [
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

/** Numbers from 0 to 1 that look random: a linear congruential generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}
