// The jobs of native/mpi/baseline.c with @cl/mpi. Rank 0 prints microseconds.
//   program.mjs heat-list|heat-overlap SIZE STEPS
//   program.mjs ping-pong-sync|ping-pong-promise BYTES ROUNDS
//   program.mjs allreduce-list ROUNDS
//   program.mjs transpose SIZE ROUNDS: complex numbers, from ranks that have all of the last axis to those that have all of the first
//   program.mjs javascript SIZE STEPS: the time that JavaScript takes for an exchange in a list
import { CommandQueue, DeviceBuffer, Program } from "@cl/core";
import { KernelLauncher, ListLauncher } from "@cl/launcher";
import { Grid, Mpi } from "@cl/mpi";

const [job, first, second] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const mpi = await Mpi.init();
const { world } = mpi;
const queue = job.startsWith("ping-pong") ? undefined : new CommandQueue(mpi.createContext());

const source = `
  __kernel void diffuse(__global const float *u, __global float *v, const int pitch) {
    const int i = get_global_id(1) * pitch + get_global_id(0);
    v[i] = u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);
  }`;

/** A list of two steps. */
async function heatList(size, overlaps, withKernels = true) {
  // Rank 0 has as many cells as the C program: the grid grows with the ranks.
  const { shape } = await world.cartesian({ shape: [0, 0] });
  const grid = await Grid.create(world, { shape: shape.map((ranks) => ranks * size), ranks: shape, periodic: true });
  const [u, v] = [grid.field(queue.context, Float32Array), grid.field(queue.context, Float32Array)];
  const program = await new Program(queue.context, source).build();
  const diffuse = (from, to, box) =>
    new KernelLauncher("diffuse", program, { args: [from.memory, to.memory, grid.rowPitch], ...box });
  const list = new ListLauncher("steps");
  for (const [from, to] of [
    [u, v],
    [v, u],
  ]) {
    if (overlaps) {
      const { begin, end } = grid.splitExchange("ghosts", [from], { corners: false });
      const { inside, edges } = grid.boxes();
      list.push(begin, diffuse(from, to, inside), end, ...edges.map((edge) => diffuse(from, to, edge)));
    } else {
      list.push(grid.exchangeLauncher("ghosts", [from], { corners: false }));
      if (withKernels) list.push(diffuse(from, to, { global: grid.inner, offset: grid.origin }));
    }
  }
  return list;
}

async function run(list, launches) {
  await world.barrier();
  const start = performance.now();
  for (let i = 0; i < launches; i++) {
    list.launch(queue);
    // As a simulation that looks at the event loop now and then.
    if (i % 16 === 15) await queue.finish();
  }
  await queue.finish();
  return (await world.allreduce(performance.now() - start, "max")) * 1000;
}

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
  "heat-list": async () => {
    const list = await heatList(first, false);
    await run(list, 25);
    return (await run(list, second / 2)) / second;
  },
  "heat-overlap": async () => {
    const list = await heatList(first, true);
    await run(list, 25);
    return (await run(list, second / 2)) / second;
  },
  javascript: async () => {
    const list = await heatList(first, false, false);
    await run(list, 200);
    let milliseconds = 0;
    for (let i = 0; i < second / 2; i++) {
      const start = performance.now();
      list.launch(queue);
      milliseconds += performance.now() - start;
      if (i % 16 === 15) await queue.finish();
    }
    await queue.finish();
    return (milliseconds * 1000) / second;
  },
  "ping-pong-sync": async () => {
    await pingPong(first, 2000, true);
    return pingPong(first, second, true);
  },
  "ping-pong-promise": async () => {
    await pingPong(first, 500, false);
    return pingPong(first, second, false);
  },
  "allreduce-list": async () => {
    const buffer = DeviceBuffer.from(queue.context, Float64Array.of(1));
    const list = new ListLauncher("sum").push(await world.allreduceLauncher("sum", buffer, "max"));
    await run(list, 100);
    return (await run(list, first)) / first;
  },
  transpose: async () => {
    const grid = await Grid.create(world, { shape: [first, first, first], ghosts: 0, ranks: [world.size, 1, 1] });
    const across = await Grid.create(world, { shape: grid.shape, ghosts: 0, ranks: [1, world.size, 1] });
    const fields = [grid, across].map((one) => one.field(queue.context, Float32Array, { components: 2 }));
    const list = new ListLauncher("transpose").push(await grid.transposeLauncher("to the first axis", ...fields));
    await run(list, 2);
    return (await run(list, second)) / second;
  },
};
const microseconds = await jobs[job]();
if (world.isRoot) console.log(microseconds.toFixed(3));
await mpi.finalize();
