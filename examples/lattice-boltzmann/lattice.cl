// Steps of the lattice-Boltzmann method: each cell has 19 populations, which move to one neighbor each in every step
// and collide there. Build options: NX, NY and NZ are the numbers of cells in memory; with HALF, populations are stored
// as float16.
//
// Populations are updated in place by two alternating kernels (the AA pattern of Bailey et al., 2009): `even` reads and
// writes only the cell itself and stores each population in the place of the opposite one; `odd` reads them from the
// neighbors, and writes to the neighbors. Each place is read and written by one cell only. This takes half the memory
// of two copies.
//
// Scalars instead of float3, offsets instead of wrapped coordinates, and a separate kernel for cells next to solid ones
// let PoCL vectorize over cells, which is four times as fast.

// Populations that move: number, number of the opposite one, direction along x, y and z. Upwards along z move 9 to 13,
// and downwards 14 to 18: ranks send them together.
#define MOVING(APPLY) \
  APPLY(1, 2, 1, 0, 0) \
  APPLY(2, 1, -1, 0, 0) \
  APPLY(3, 4, 0, 1, 0) \
  APPLY(4, 3, 0, -1, 0) \
  APPLY(9, 14, 0, 0, 1) \
  APPLY(14, 9, 0, 0, -1) \
  APPLY(5, 6, 1, 1, 0) \
  APPLY(6, 5, -1, -1, 0) \
  APPLY(10, 15, 1, 0, 1) \
  APPLY(15, 10, -1, 0, -1) \
  APPLY(11, 16, 0, 1, 1) \
  APPLY(16, 11, 0, -1, -1) \
  APPLY(7, 8, 1, -1, 0) \
  APPLY(8, 7, -1, 1, 0) \
  APPLY(17, 12, 1, 0, -1) \
  APPLY(12, 17, -1, 0, 1) \
  APPLY(18, 13, 0, 1, -1) \
  APPLY(13, 18, 0, -1, 1)
#define ALL(APPLY) APPLY(0, 0, 0, 0, 0) MOVING(APPLY)

#define CELLS ((size_t)NX * NY * NZ)
#define AT(i, cell) ((i) * CELLS + (cell))

// Flags of cells. Moving walls move along x.
#define SOLID 1
#define MOVING_WALL 2
#define OPEN 4
#define NEAR_SOLID 8

// Differences from the populations at rest are stored. They are small, so that float16 is precise enough.
#ifdef HALF
typedef half stored;
// The differences are below 2, and most are far below the smallest normal float16.
#define LOAD(at) (vload_half(at, f) * (1 / 32768.0f))
#define STORE(at, value) vstore_half_rte((value) * 32768.0f, at, f)
#else
typedef float stored;
#define LOAD(at) f[at]
#define STORE(at, value) f[at] = value
#endif

#define LENGTH(dx, dy, dz) (dx * dx + dy * dy + dz * dz)
#define WEIGHT(dx, dy, dz) (LENGTH(dx, dy, dz) == 0 ? 1 / 3.0f : LENGTH(dx, dy, dz) == 1 ? 1 / 18.0f : 1 / 36.0f)

// Returns the equilibrium of a population, as a difference from its weight. `along` is the velocity along its
// direction.
float equilibrium(float weight, float excess, float ux, float uy, float uz, float along) {
  const float square = ux * ux + uy * uy + uz * uz;
  return weight * (excess + (1 + excess) * (3 * along + 4.5f * along * along - 1.5f * square));
}
#define EQUILIBRIUM(dx, dy, dz) equilibrium(WEIGHT(dx, dy, dz), excess, ux, uy, uz, (dx) * ux + (dy) * uy + (dz) * uz)

// Declares the density of a cell, minus 1, and its velocity.
#define MOMENTS \
  float excess = 0, ux = 0, uy = 0, uz = 0; \
  ALL(ADD) \
  ux /= 1 + excess, uy /= 1 + excess, uz /= 1 + excess;
#define ADD(i, opposite, dx, dy, dz) excess += g##i, ux += dx * g##i, uy += dy * g##i, uz += dz * g##i;

// Populations approach their equilibrium. Those of open cells get that of the flow outside.
#define COLLIDE \
  const float rate = (flag & OPEN) != 0 ? 1 : omega; \
  excess = (flag & OPEN) != 0 ? 0 : excess; \
  ux = (flag & OPEN) != 0 ? inflow : ux; \
  uy = (flag & OPEN) != 0 ? 0 : uy; \
  uz = (flag & OPEN) != 0 ? 0 : uz; \
  ALL(RELAX)
#define RELAX(i, opposite, dx, dy, dz) g##i += rate * (EQUILIBRIUM(dx, dy, dz) - g##i);

__kernel void start(__global stored* f, __global const float* velocity) {
  const size_t cell = get_global_id(0);
  const float excess = 0, ux = velocity[3 * cell], uy = velocity[3 * cell + 1], uz = velocity[3 * cell + 2];
#define STORE_START(i, opposite, dx, dy, dz) STORE(AT(i, cell), EQUILIBRIUM(dx, dy, dz));
  ALL(STORE_START)
}

#define LOAD_HERE(i, opposite, dx, dy, dz) float g##i = LOAD(AT(i, cell));

__kernel void even(__global stored* f, __global const uchar* flags, float omega, float inflow) {
  const size_t cell = get_global_id(0);
  const uchar flag = flags[cell];
  if ((flag & SOLID) != 0) return;
  ALL(LOAD_HERE)
  MOMENTS
  COLLIDE
#define STORE_OPPOSITE(i, opposite, dx, dy, dz) STORE(AT(opposite, cell), g##i);
  ALL(STORE_OPPOSITE)
}

// The offset to a neighbor along an axis. Opposite faces of the lattice are neighbors.
#define OFFSET(d, place, extent, stride) \
  (d == 0  ? 0 \
   : d > 0 ? (place == extent - 1 ? (1 - extent) * stride : stride) \
           : (place == 0 ? (extent - 1) * stride : -stride))
#define NEIGHBOR(i, opposite, dx, dy, dz) \
  const size_t n##i = cell + OFFSET(dx, x, NX, 1) + OFFSET(dy, y, NY, NX) + OFFSET(dz, z, NZ, NX * NY);

// Cells next to solid ones are left to `odd_near_solid`.
__kernel void odd(__global stored* f, __global const uchar* flags, float omega, float inflow) {
  const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  const size_t cell = x + (size_t)NX * (y + NY * z);
  const uchar flag = flags[cell];
  if ((flag & (SOLID | NEAR_SOLID)) != 0) return;
  MOVING(NEIGHBOR)
#define LOAD_NEIGHBOR(i, opposite, dx, dy, dz) float g##i = LOAD(AT(opposite, n##opposite));
  float g0 = LOAD(cell);
  MOVING(LOAD_NEIGHBOR)
  MOMENTS
  COLLIDE
#define STORE_NEIGHBOR(i, opposite, dx, dy, dz) STORE(AT(i, n##i), g##i);
  STORE(cell, g0);
  MOVING(STORE_NEIGHBOR)
}

__kernel void odd_near_solid(__global stored* f, __global const uchar* flags, __global const uint* near, float omega,
                             float inflow, float wall) {
  const size_t cell = near[get_global_id(0)];
  const int x = cell % NX, y = cell / NX % NY, z = cell / (NX * NY);
  const uchar flag = flags[cell];
  MOVING(NEIGHBOR)
  // Solid neighbors reflect the populations that move there, and moving walls push them.
#define IS_SOLID(i) ((flags[n##i] & SOLID) != 0)
#define PUSH(i, dx, dy, dz) ((flags[n##i] & MOVING_WALL) != 0 ? 6 * WEIGHT(dx, dy, dz) * dx * wall : 0)
#define LOAD_REFLECTED(i, opposite, dx, dy, dz) \
  float g##i = LOAD(IS_SOLID(opposite) ? AT(i, cell) : AT(opposite, n##opposite)) + PUSH(opposite, dx, dy, dz);
  float g0 = LOAD(cell);
  MOVING(LOAD_REFLECTED)
  MOMENTS
  COLLIDE
#define STORE_REFLECTED(i, opposite, dx, dy, dz) \
  STORE(IS_SOLID(i) ? AT(opposite, cell) : AT(i, n##i), g##i - PUSH(i, dx, dy, dz));
  STORE(cell, g0);
  MOVING(STORE_REFLECTED)
}

// On several ranks, the first and the last slice in memory are ghosts. `odd` has updated places of the first and the
// last slice between them on other ranks, which have sent them into the ghosts. A solid cell updates no places: those
// next to it were updated here.
__kernel void take_back(__global stored* f, __global const uchar* flags) {
  const bool first = get_global_id(2) == 0;
  const int x = get_global_id(0), y = get_global_id(1), z = first ? 1 : NZ - 2;
  const size_t cell = x + (size_t)NX * (y + NY * z);
  const size_t ghost = first ? cell - NX * NY : cell + NX * NY;
  MOVING(NEIGHBOR)
#define TAKE_BACK(i, opposite, dx, dy, dz) \
  if (dz == (first ? 1 : -1) && !IS_SOLID(opposite)) STORE(AT(i, cell), LOAD(AT(i, ghost)));
  MOVING(TAKE_BACK)
}

// The density and velocity of each cell, after an even number of steps.
__kernel void moments(__global const stored* f, __global const uchar* flags, __global float4* out) {
  const size_t cell = get_global_id(0);
  ALL(LOAD_HERE)
  MOMENTS
  out[cell] = (flags[cell] & SOLID) != 0 ? (float4)(0, 0, 0, 1) : (float4)(ux, uy, uz, 1 + excess);
}
