// The jobs of native/mpi/baseline.c with @cl/mpi: program.mjs JOB [+ JOB]…
// Rank 0 prints microseconds, a line for each job:
//   heat-list|heat-overlap|heat-exchange SIZE STEPS
//   lattice-list|lattice-overlap|lattice-exchange SIZE STEPS
//   ping-pong-sync|ping-pong-promise BYTES ROUNDS
//   allreduce-list ROUNDS
//   transpose SIZE ROUNDS: SIZE³ complex numbers, from slabs along the first axis to those along the second
//   fft SIZE ROUNDS: the transform of SIZE³ real numbers and its inverse, together
//   javascript SIZE STEPS: the time that JavaScript takes for an exchange in a list
// Checks, of SIZE² or SIZE³ cells on all ranks together:
//   heat-check|lattice-check SIZE STEPS: prints "equal" if one rank computes the same bits, or else fails
//   lattice-sum SIZE STEPS: prints a checksum of the flow
//   machine: prints the devices and the MPI
import { arrays } from "@cl/array";
import { CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher } from "@cl/launcher";
import { Grid, Mpi } from "@cl/mpi";
import { DistributedFft } from "@cl/mpi/fft";

const commands = [[]];
for (const argument of process.argv.slice(2)) {
  if (argument === "+") commands.push([]);
  else commands.at(-1).push(argument);
}
const mpi = await Mpi.init();
const { world } = mpi;
const isOnHost = commands.every(([job]) => job.startsWith("ping-pong"));
const queue = isOnHost ? undefined : new CommandQueue(mpi.createContext());

const source = `
  __kernel void diffuse(__global const float *u, __global float *v, const int pitch) {
    const int i = get_global_id(1) * pitch + get_global_id(0);
    v[i] = u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);
  }`;

/** The heat equation on the ranks of a communicator. */
async function heat(communicator, shape, ranks, variant) {
  const grid = await Grid.create(communicator, { shape, ranks, periodic: true });
  const [u, v] = [grid.field(queue.context, Float32Array), grid.field(queue.context, Float32Array)];
  const program = await new Program(queue.context, source).build();
  const diffuse = (from, to, box) =>
    new KernelLauncher("diffuse", program, { args: [from.memory, to.memory, grid.rowPitch], ...box });
  const steps = new ListLauncher("two steps");
  for (const [from, to] of [
    [u, v],
    [v, u],
  ]) {
    if (variant === "overlap") {
      const { begin, end } = grid.splitExchange("ghosts", [from], { corners: false });
      const { inside, edges } = grid.boxes();
      steps.push(begin, diffuse(from, to, inside), end, ...edges.map((edge) => diffuse(from, to, edge)));
    } else {
      steps.push(grid.exchangeLauncher("ghosts", [from], { corners: false }));
      if (variant === "list") steps.push(diffuse(from, to, { global: grid.inner, offset: grid.origin }));
    }
  }
  return { grid, u, steps };
}

async function heatSteps(size, variant) {
  // Each rank has as many cells as in the C program: the grid grows with the ranks.
  const { shape } = await world.cartesian({ shape: [0, 0] });
  const whole = shape.map((ranks) => ranks * size);
  return (await heat(world, whole, shape, variant)).steps;
}

/** Returns the cells after some steps, on the root of the communicator. */
async function heatAfter(communicator, size, steps, variant) {
  const made = await heat(communicator, [size, size], [0, 0], variant);
  await made.u.fill(queue, (y, x) => ((3 * x + 5 * y) % 17) / 17);
  await launchAll(made.steps, steps / 2);
  return made.grid.gather(queue, made.u);
}

const conditions = { omega: 1, inflow: 0, wall: 0 };

// Imported by its jobs only, because the others do not need it.
const example = (name) => import(`../../../../examples/lattice-boltzmann/dist/${name}.js`);

/** Returns how the ranks divide the flow of the example. */
async function divideFlow(variant) {
  const { joinJob } = await example("ranks");
  return (await joinJob({ overlaps: variant === "overlap" })).divide;
}

/** The flow of the example, divided among all ranks, or on this rank alone. */
async function flow(size, slices, variant) {
  const { lattice } = await example("lattice");
  const divide = variant === "alone" ? undefined : await divideFlow(variant);
  // As in the C program: exact in float64, and each cell has other velocities than its neighbors.
  const velocityAt = (x, y, z) => {
    const k = 3 * x + 5 * y + 7 * z;
    return [(k % 17) / 1000, ((k + 1) % 17) / 1000, ((k + 2) % 17) / 1000];
  };
  return lattice(queue, { size: [size, size, slices], velocityAt, divide });
}

/** Returns velocities and densities after some steps on rank 0, in the order of lattice.cl. */
async function flowAfter(size, steps, variant) {
  const made = await flow(size, size, variant);
  await launchAll(made.steps, steps / 2, conditions);
  const read = await made.read();
  if (read === undefined) return undefined;
  const moments = new Float32Array(4 * read.density.length);
  for (const [k, values] of [...read.velocity, read.density].entries()) {
    for (let i = 0; i < values.length; i++) moments[4 * i + k] = values[i];
  }
  return moments;
}

const bitsOf = (values) => new Uint32Array(values.buffer, values.byteOffset, values.length);

/** Returns "equal". Throws, which ends all ranks, if the bits of a result are not those expected. */
function checked(results, expected) {
  const expectedBits = bitsOf(expected);
  for (const [i, result] of results.entries()) {
    const at = bitsOf(result).findIndex((bits, place) => bits !== expectedBits[place]);
    if (at < 0 && result.length === expected.length) continue;
    const how = i === 0 ? "in a list" : "overlapped";
    throw new Error(`${how}: value ${at} of ${result.length} is ${result[at]}, but one rank computes ${expected[at]}`);
  }
  return "equal";
}

async function launchAll(list, launches, parameters) {
  for (let i = 0; i < launches; i++) {
    if (parameters === undefined) list.launch(queue);
    else list.launch(queue, parameters);
    // As a simulation that looks at the event loop now and then.
    if (i % 16 === 15) await queue.finish();
  }
  await queue.finish();
}

/** Returns the microseconds of the slowest rank. */
async function clock(body) {
  await world.barrier();
  const start = performance.now();
  await body();
  return (await world.allreduce(performance.now() - start, "max")) * 1000;
}

const run = (list, launches, parameters) => clock(() => launchAll(list, launches, parameters));

async function pingPong(bytes, rounds, isSync) {
  const data = new Uint8Array(bytes);
  const other = 1 - world.rank;
  await world.barrier();
  const start = performance.now();
  for (let i = 0; i < rounds && world.rank < 2; i++) {
    if (isSync) {
      if (world.rank === 0) world.sendSync(data, other);
      world.recvSync(data, other);
      if (world.rank === 1) world.sendSync(data, other);
    } else {
      if (world.rank === 0) await world.send(data, other);
      await world.recv(data, other);
      if (world.rank === 1) await world.send(data, other);
    }
  }
  return ((performance.now() - start) / rounds / 2) * 1000;
}

const jobs = {
  javascript: async (size, steps) => {
    const list = await heatSteps(size, "exchange");
    await run(list, 200);
    let milliseconds = 0;
    for (let i = 0; i < steps / 2; i++) {
      const start = performance.now();
      list.launch(queue);
      milliseconds += performance.now() - start;
      if (i % 16 === 15) await queue.finish();
    }
    await queue.finish();
    return (milliseconds * 1000) / steps;
  },
  "ping-pong-sync": async (bytes, rounds) => {
    await pingPong(bytes, Math.min(rounds, 20_000), true);
    return pingPong(bytes, rounds, true);
  },
  "ping-pong-promise": async (bytes, rounds) => {
    // V8 compiles the code while two engines and two programs use the processors.
    await pingPong(bytes, 3000, false);
    return pingPong(bytes, rounds, false);
  },
  "allreduce-list": async (rounds) => {
    const buffer = DeviceBuffer.from(queue.context, Float64Array.of(1));
    const list = new ListLauncher("sum").push(await world.allreduceLauncher("sum", buffer, "max"));
    await run(list, 100);
    return (await run(list, rounds)) / rounds;
  },
  transpose: async (size, rounds) => {
    const grid = await Grid.create(world, { shape: [size, size, size], ghosts: 0, ranks: [world.size, 1, 1] });
    const across = await Grid.create(world, { shape: grid.shape, ghosts: 0, ranks: [1, world.size, 1] });
    const fields = [grid, across].map((one) => one.field(queue.context, Float32Array, { components: 2 }));
    const list = new ListLauncher("transpose").push(await grid.transposeLauncher("to the first axis", ...fields));
    await run(list, 2);
    return (await run(list, rounds)) / rounds;
  },
  fft: async (size, count) => {
    const grid = await Grid.create(world, { shape: [size, size, size], ghosts: 0, ranks: [0, 0, 1] });
    const fft = await DistributedFft.create(arrays(queue), grid.field(queue.context, Float32Array));
    const transforms = async (rounds) => {
      for (let i = 0; i < rounds; i++) {
        await fft.forward();
        await fft.inverse();
      }
      await queue.finish();
    };
    await transforms(2);
    return (await clock(() => transforms(count))) / count;
  },
  "heat-check": async (size, steps) => {
    const root = await world.split(world.isRoot ? 0 : undefined);
    const parts = [await heatAfter(world, size, steps, "list"), await heatAfter(world, size, steps, "overlap")];
    const expected = root && (await heatAfter(root, size, steps, "list"));
    return expected && checked(parts, expected);
  },
  "lattice-check": async (size, steps) => {
    const parts = [await flowAfter(size, steps, "list"), await flowAfter(size, steps, "overlap")];
    const expected = world.isRoot ? await flowAfter(size, steps, "alone") : undefined;
    return expected && checked(parts, expected);
  },
  "lattice-sum": async (size, steps) => {
    const moments = await flowAfter(size, steps, "overlap");
    if (moments === undefined) return undefined;
    let sum = 0;
    for (const [i, value] of bitsOf(moments).entries()) sum = (sum + Math.imul(value, 2 * i + 1)) >>> 0;
    return sum;
  },
  "lattice-exchange": async (size, steps) => {
    const divide = await divideFlow("list");
    const { border } = await divide(queue.context, [size, size, size * world.size], Float32Array);
    const exchanges = new ListLauncher("exchanges").push(border.borrow.begin, border.giveBack.begin);
    await run(exchanges, 10);
    return (await run(exchanges, steps / 2)) / steps;
  },
  machine: async () => {
    const devices = await world.gatherJson(queue.context.devices[0].name);
    return JSON.stringify({ devices, library: mpi.library.version });
  },
};
for (const variant of ["list", "overlap", "exchange"]) {
  jobs[`heat-${variant}`] = async (size, steps) => {
    const list = await heatSteps(size, variant);
    await run(list, 25);
    return (await run(list, steps / 2)) / steps;
  };
}
for (const variant of ["list", "overlap"]) {
  jobs[`lattice-${variant}`] = async (size, count) => {
    const { steps } = await flow(size, size * world.size, variant);
    await run(steps, 10, conditions);
    return (await run(steps, count / 2, conditions)) / count;
  };
}
for (const [job, ...numbers] of commands) {
  const result = await jobs[job](...numbers.map(Number));
  if (world.isRoot) console.log(typeof result === "number" ? result.toFixed(3) : result);
}
await mpi.finalize();
