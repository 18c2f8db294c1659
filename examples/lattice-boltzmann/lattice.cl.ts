/**
 * The kernels. A cell has 19 populations, which move to one of its neighbors each in a step, and collide there.
 *
 * Populations are updated in place by two alternating kernels (the AA pattern of Bailey et al., 2009): `even` reads and writes only
 * the cell itself and stores each population in the place of the opposite one; `odd` reads them from the neighbors, and writes to
 * the neighbors. Each place is read and written by one cell only. This halves the memory of two copies, and a cell moves 152
 * bytes and a flag.
 *
 * Stored are differences from the populations at rest, which are small, so that float16 is enough for them.
 */

type Direction = readonly [x: number, y: number, z: number];

/** One of each two opposite directions. */
const halves: readonly Direction[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [1, 0, 1],
  [0, 1, 1],
  [1, -1, 0],
  [1, 0, -1],
  [0, 1, -1],
];

/** Directions of the populations: each second one is opposite to the one before it. */
export const directions: readonly Direction[] = [
  [0, 0, 0],
  ...halves.flatMap(([x, y, z]): Direction[] => [
    [x, y, z],
    [-x, -y, -z],
  ]),
];

/** Bits of the flags of cells. */
export const flags = { solid: 1, moving: 2, open: 4, besideSolid: 8 } as const;

/** How populations are stored; computed with is always float32. */
export type Precision = "float32" | "float16";

/** Returns the source for a lattice of this size. */
export function latticeSource([nx, ny, nz]: readonly [number, number, number], precision: Precision): string {
  const all = directions.map((direction, i) => ({
    i,
    opposite: oppositeOf(i),
    weight: weightOf(direction),
    direction,
  }));
  const moving = all.slice(1);
  const each = (text: (one: (typeof all)[number]) => string, list = all): string =>
    list.map((one) => text(one)).join("\n  ");
  const sum = (axis: number): string =>
    moving
      .filter(({ direction }) => direction[axis] !== 0)
      .map(({ i, direction }) => `${direction[axis] === 1 ? "+" : "-"} g${i}`)
      .join(" ");
  const along = ([x, y, z]: Direction): string =>
    [term(x, "u.x"), term(y, "u.y"), term(z, "u.z")].join(" ").trim() || "0";
  const neighbor = ([x, y, z]: readonly [number, number, number]): string =>
    `x${side(x)} + ${nx} * (y${side(y)} + ${ny} * z${side(z)})`;

  return `
  #define CELLS ${nx * ny * nz}u
  ${
    precision === "float32"
      ? `typedef float stored;
  #define LOAD(p, at) p[at]
  #define STORE(p, at, value) p[at] = value`
      : `typedef half stored;
  /* The differences are below 2, and most are far below the smallest normal float16. */
  #define LOAD(p, at) (vload_half(at, p) * (1 / 32768.0f))
  #define STORE(p, at, value) vstore_half_rte((value) * 32768.0f, at, p)`
  }

  /* The position of a cell and of its neighbors; opposite faces of the lattice are neighbors. */
  #define POSITION \\
    const uint cell = get_global_id(0), x = cell % ${nx}u, y = cell / ${nx}u % ${ny}u, z = cell / ${nx * ny}u; \\
    const uint xp = x + 1 < ${nx}u ? x + 1 : 0, xm = x > 0 ? x - 1 : ${nx - 1}u; \\
    const uint yp = y + 1 < ${ny}u ? y + 1 : 0, ym = y > 0 ? y - 1 : ${ny - 1}u; \\
    const uint zp = z + 1 < ${nz}u ? z + 1 : 0, zm = z > 0 ? z - 1 : ${nz - 1}u;

  #define MOMENTS \\
    float rho = 1 + (${all.map(({ i }) => `g${i}`).join(" + ")}); \\
    float3 u = (float3)(${[0, 1, 2].map((axis) => sum(axis)).join(", ")}) / rho;

  /* What a population tends to, as a difference from its weight. */
  float tendency(const float weight, const float rho, const float3 u, const float along) {
    return weight * (rho - 1 + rho * (3 * along + 4.5f * along * along - 1.5f * dot(u, u)));
  }

  /* Populations approach their tendencies; where the lattice is open, they are those of the flow outside. */
  #define COLLIDE \\
    const float rate = (flag & ${flags.open}) != 0 ? 1 : omega; \\
    if ((flag & ${flags.open}) != 0) { rho = 1; u = (float3)(inflow, 0, 0); } \\
    ${all.map(({ i, weight, direction }) => `g${i} += rate * (tendency(${weight}, rho, u, ${along(direction)}) - g${i});`).join(" \\\n    ")}

  /* What a wall that moves along x adds to a population that it throws back. */
  float thrown(const uchar flag, const float weight, const float rho, const float x, const float wall) {
    return (flag & ${flags.moving}) != 0 ? 6 * weight * rho * x * wall : 0;
  }

  __kernel void start(__global stored *f, __global const float *velocity) {
    const uint cell = get_global_id(0);
    const float3 u = vload3(cell, velocity);
    ${each(({ i, weight, direction }) => `STORE(f, ${i} * CELLS + cell, tendency(${weight}, 1, u, ${along(direction)}));`)}
  }

  __kernel void even(__global stored *f, __global const uchar *cells, float omega, float inflow) {
    const uint cell = get_global_id(0);
    const uchar flag = cells[cell];
    if ((flag & ${flags.solid}) != 0) return;
    ${each(({ i }) => `float g${i} = LOAD(f, ${i} * CELLS + cell);`)}
    MOMENTS
    COLLIDE
    ${each(({ i, opposite }) => `STORE(f, ${opposite} * CELLS + cell, g${i});`)}
  }

  __kernel void odd(__global stored *f, __global const uchar *cells, float omega, float inflow, float wall) {
    POSITION
    const uchar flag = cells[cell];
    if ((flag & ${flags.solid}) != 0) return;
    ${each(({ i, direction }) => `const uint n${i} = ${neighbor(direction)};`, moving)}
    /* Flags of neighbors are read only where one of them is solid. */
    const bool beside = (flag & ${flags.besideSolid}) != 0;
    ${each(({ i }) => `const uchar s${i} = beside ? cells[n${i}] : 0;`, moving)}
    float g0 = LOAD(f, cell);
    ${each(
      ({ i, opposite }) =>
        `float g${i} = LOAD(f, (s${opposite} & ${flags.solid}) != 0 ? ${i} * CELLS + cell : ${opposite} * CELLS + n${opposite});`,
      moving,
    )}
    if (beside) {
      ${each(
        ({ i, opposite, weight, direction: [dx] }) =>
          dx === 0 ? "" : `g${i} += thrown(s${opposite}, ${weight}, 1, ${dx}, wall);`,
        moving,
      )}
    }
    MOMENTS
    COLLIDE
    STORE(f, cell, g0);
    ${each(
      ({ i, opposite, weight, direction: [dx] }) =>
        `if ((s${i} & ${flags.solid}) != 0) STORE(f, ${opposite} * CELLS + cell, g${i}${dx === 0 ? "" : ` + thrown(s${i}, ${weight}, 1, ${-dx}, wall)`});
    else STORE(f, ${i} * CELLS + n${i}, g${i});`,
      moving,
    )}
  }

  /* The density and velocity of each cell, after an even number of steps. */
  __kernel void moments(__global const stored *f, __global const uchar *cells, __global float4 *out) {
    const uint cell = get_global_id(0);
    ${each(({ i }) => `const float g${i} = LOAD(f, ${i} * CELLS + cell);`)}
    MOMENTS
    out[cell] = (cells[cell] & ${flags.solid}) != 0 ? (float4)(0, 0, 0, 1) : (float4)(u, rho);
  }`;
}

/** Returns the number of the opposite direction. */
function oppositeOf(i: number): number {
  if (i === 0) return 0;
  return i % 2 === 1 ? i + 1 : i - 1;
}

function weightOf(direction: readonly number[]): string {
  const moving = direction.filter((value) => value !== 0).length;
  return moving === 0 ? "(1 / 3.0f)" : moving === 1 ? "(1 / 18.0f)" : "(1 / 36.0f)";
}

function term(factor: number, text: string): string {
  return factor === 0 ? "" : `${factor > 0 ? "+" : "-"} ${text}`;
}

function side(offset: number): string {
  return offset === 0 ? "" : offset > 0 ? "p" : "m";
}
