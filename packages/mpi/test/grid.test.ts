/** Grids: ghosts of random grids against a plain computation, and timesteps on ranks against one rank. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

import { caseCount, sample, testSeed } from "@cl/testing/level";

import { describeMpis, rankCounts, resultsOf, runRanks } from "./support/run-ranks.js";

const seed = testSeed(1);

/** Exchanges fields of random grids, and compares each cell and ghost with what the whole grid has there. */
const randomGrids = `
  const mpi = await Mpi.init();
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  // The same numbers on all ranks.
  let state = ${seed} >>> 0;
  const random = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const types = [Float32Array, Float64Array, Int8Array, Uint16Array, Int32Array, BigInt64Array];
  let compared = 0;
  for (let round = 0; round < ${caseCount(8)}; round++) {
    const dimensions = 1 + random(3);
    const ghosts = Array.from({ length: dimensions }, () => random(3));
    const shape = ghosts.map((width) => mpi.world.size * Math.max(width, 1) + random(9));
    const periodic = ghosts.map(() => random(2) === 1);
    const corners = random(2) === 1;
    const mirrored = periodic.map((wraps) => !wraps && random(2) === 1);
    const options = { corners, mirrored };
    const grid = await Grid.create(mpi.world, { shape, ghosts, periodic });
    const fields = Array.from({ length: 1 + random(3) }, () =>
      grid.field(context, types[random(types.length)], { components: 1 + random(3) }));
    const valueOf = (field, place, component) => {
      const index = place.reduce((sum, at, axis) => sum * shape[axis] + at, 0) * field.components + component;
      const value = 1 + ((index * 7 + fields.indexOf(field)) % 120);
      return field.arrayFor(0) instanceof BigInt64Array ? BigInt(value) : value;
    };
    for (const field of fields) {
      await field.fill(queue, (...place) => Array.from({ length: field.components }, (_, c) => valueOf(field, place, c)));
    }
    if (random(2) === 1) {
      await grid.exchangeLauncher("ghosts", fields, options).enqueue(queue).wait();
    } else {
      const { begin, end } = grid.splitExchange("ghosts", fields, options);
      await new ListLauncher("halves").push(begin, end).enqueue(queue).wait();
    }
    // Where in the whole grid a cell or ghost of a rank is; undefined if it copies no cell.
    const placeOf = (rank, cell) => {
      const part = grid.partOf(rank);
      const memory = part.cells.map((cells, axis) => cells + 2 * ghosts[axis]);
      let rest = cell;
      const at = memory.toReversed().map((size) => { const i = rest % size; rest = Math.floor(rest / size); return i; }).reverse();
      const outside = at.filter((i, axis) => i < ghosts[axis] || i >= ghosts[axis] + part.cells[axis]).length;
      if (outside > 1 && !corners) return { at, outside };
      const place = at.map((i, axis) => {
        const global = part.start[axis] + i - ghosts[axis];
        if (periodic[axis]) return (global + shape[axis]) % shape[axis];
        if (mirrored[axis]) return global < 0 ? -1 - global : global < shape[axis] ? global : 2 * shape[axis] - 1 - global;
        return global;
      });
      return { at, outside, place: place.every((i, axis) => i >= 0 && i < shape[axis]) ? place : undefined };
    };
    const cellCount = (sizes) => sizes.reduce((product, size) => product * size, 1);
    for (const field of fields) {
      const type = field.arrayFor(0).constructor;
      const found = await queue.read(field.memory, type);
      const count = cellCount(grid.memoryShape);
      for (let cell = 0; cell < count; cell++) {
        const { at, place } = placeOf(mpi.world.rank, cell);
        for (let c = 0; c < field.components; c++) {
          const expected = place ? valueOf(field, place, c) : type === BigInt64Array ? 0n : 0;
          if (found[cell * field.components + c] !== expected) {
            throw new Error("round " + round + ", " + grid + ", ghosts " + ghosts + ", periodic " + periodic + ", mirrored " + mirrored + ", corners " + corners + ": [" + at + "] is " + found[cell * field.components + c] + ", expected " + expected);
          }
          compared++;
        }
      }
      // Whole fields.
      const whole = await grid.gather(queue, field, mpi.world.size - 1);
      if ((whole === undefined) !== (mpi.world.rank !== mpi.world.size - 1)) throw new Error("gather on the wrong rank");
      whole?.forEach((value, i) => {
        const component = i % field.components;
        let index = Math.floor(i / field.components);
        const place = shape.toReversed().map((size) => { const at = index % size; index = Math.floor(index / size); return at; }).reverse();
        if (value !== valueOf(field, place, component)) throw new Error("gather: [" + place + "]");
      });
      const copy = grid.field(context, type, { components: field.components });
      await grid.scatter(queue, copy, whole, mpi.world.size - 1);
      const [a, b] = [await copy.read(queue), await field.read(queue)];
      if (a.length !== b.length || a.some((value, i) => value !== b[i])) throw new Error("scatter");
      copy.release();
    }
    // The reverse: cells get the ghosts that copy them.
    const addend = (field, rank, index) => {
      const value = 1 + ((5 * index + 3 * rank + fields.indexOf(field)) % 4);
      return field.arrayFor(0) instanceof BigInt64Array ? BigInt(value) : value;
    };
    for (const field of fields) {
      const all = field.arrayFor(cellCount(grid.memoryShape));
      await queue.write(field.memory, all.map((_, index) => addend(field, mpi.world.rank, index)));
    }
    const accumulate = await grid.accumulateLauncher("charges", fields, options);
    accumulate.launch(queue);
    for (const field of fields) {
      const { components } = field;
      const found = await queue.read(field.memory, field.arrayFor(0).constructor);
      const expected = found.map((_, index) => addend(field, mpi.world.rank, index));
      for (let rank = 0; rank < mpi.world.size; rank++) {
        const count = cellCount(grid.partOf(rank).cells.map((cells, axis) => cells + 2 * ghosts[axis]));
        for (let cell = 0; cell < count; cell++) {
          const { outside, place } = placeOf(rank, cell);
          if (outside === 0 || place === undefined) continue;
          const local = place.map((i, axis) => i - grid.start[axis]);
          if (local.some((i, axis) => i < 0 || i >= grid.cells[axis])) continue;
          const target = local.reduce((index, i, axis) => index * grid.memoryShape[axis] + i + ghosts[axis], 0);
          for (let c = 0; c < components; c++) expected[target * components + c] += addend(field, rank, cell * components + c);
        }
      }
      const wrong = found.findIndex((value, index) => value !== expected[index]);
      if (wrong >= 0) {
        throw new Error("accumulate, round " + round + ", " + grid + ", ghosts " + ghosts + ", periodic " + periodic + ", mirrored " + mirrored +
          ", corners " + corners + ": element " + wrong + " is " + found[wrong] + " instead of " + expected[wrong]);
      }
      compared++;
    }
    accumulate.release();
  }
  await mpi.finalize();
  print([compared > 0]);`;

/** Exchanges random boxes of cells, and compares each cell of the memory with what a model of all ranks computes. */
const randomBoxes = `
  const mpi = await Mpi.init();
  const { world } = mpi;
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  // The same numbers on all ranks.
  let state = ${seed} >>> 0;
  const random = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  let moved = 0;
  for (let round = 0; round < ${caseCount(8)}; round++) {
    const dimensions = 1 + random(3);
    const ghosts = Array.from({ length: dimensions }, () => 1 + random(2));
    // All ranks have as many cells, so that boxes have a place in all memories.
    const shape = ghosts.map((width) => world.size * (width + random(2)));
    const periodic = ghosts.map(() => random(3) > 0);
    const corners = random(2) === 1;
    const grid = await Grid.create(world, { shape, ghosts, periodic });
    const { memoryShape } = grid;
    // Sent are cells of the first half of the memory along the first axis, and received those of the other one.
    const half = Math.floor(memoryShape[0] / 2);
    const traffic = new Map();
    for (let code = 0; code < 3 ** dimensions; code++) {
      const direction = Array.from({ length: dimensions }, (_, axis) => (Math.floor(code / 3 ** axis) % 3) - 1);
      const boxes = Array.from({ length: random(3) }, () => {
        const size = memoryShape.map((cells, axis) => 1 + random(axis === 0 ? half : cells));
        const place = (first) => size.map((cells, axis) =>
          axis === 0 ? first + random(half - cells + 1) : random(memoryShape[axis] - cells + 1));
        return [place(0), place(half)].map((start) => ({ start, end: start.map((from, axis) => from + size[axis]) }));
      });
      // The boxes sent in a direction are received from the opposite one.
      traffic.set(String(direction), { sent: boxes.map(([sent]) => sent), arriving: boxes.map(([, received]) => received) });
    }
    const opposite = (direction) => String(direction.map((step) => 0 - step));
    const boxesOf = (direction) => {
      const sent = traffic.get(String(direction)).sent, received = traffic.get(opposite(direction)).arriving;
      return sent.length + received.length === 0 ? undefined : { sent, received };
    };
    const cellsOf = ({ start, end }) => {
      let places = [[]];
      for (const [axis, from] of start.entries()) {
        places = places.flatMap((place) => Array.from({ length: end[axis] - from }, (_, i) => [...place, from + i]));
      }
      return places.map((place) => place.reduce((sum, at, axis) => sum * memoryShape[axis] + at, 0));
    };
    const fields = [grid.field(context, Float32Array), grid.field(context, Int16Array, { components: 3 })];
    const startOf = (rank) => fields.map((field) => {
      const values = field.arrayFor(memoryShape.reduce((product, size) => product * size, 1));
      return values.map((_, i) => (rank * 1009 + i * 7 + field.components) % 3001);
    });
    const before = Array.from({ length: world.size }, (_, rank) => startOf(rank));
    // Calls back for each neighbor, and for the boxes that it sends and receives.
    const forEachNeighbor = (visit) => {
      const { communicator } = grid;
      const at = communicator.coordinatesOf(world.rank);
      for (const key of traffic.keys()) {
        const direction = key.split(",").map(Number);
        const axes = direction.filter((step) => step !== 0).length;
        const rank = communicator.rankAt(at.map((place, axis) => place + direction[axis]));
        if (axes > 0 && (axes === 1 || corners) && rank !== undefined) visit(rank, direction);
      }
    };
    const check = async (expected, name) => {
      for (const [f, field] of fields.entries()) {
        const found = await queue.read(field.memory, field.arrayFor(0).constructor);
        // Where several messages overlap, one of them has been written last.
        const wrong = found.findIndex((value, i) => !expected[f][i].includes(value));
        if (wrong >= 0) {
          throw new Error(name + ", round " + round + ", " + grid + ", ghosts " + ghosts + ", periodic " + periodic + ", corners " +
            corners + ": element " + wrong + " is " + found[wrong] + " instead of " + expected[f][wrong]);
        }
      }
    };
    const options = { corners, boxes: boxesOf };
    const own = before[world.rank];
    for (const split of [false, true]) {
      for (const [f, field] of fields.entries()) await queue.write(field.memory, own[f]);
      if (split) {
        const { begin, end } = grid.splitExchange("boxes", fields, options);
        await new ListLauncher("halves").push(begin, end).enqueue(queue).wait();
      } else await grid.exchangeLauncher("boxes", fields, options).enqueue(queue).wait();
      const expected = own.map((values) => Array.from(values, (value) => [value]));
      const written = new Set();
      forEachNeighbor((rank, direction) => {
        const { sent, arriving } = traffic.get(opposite(direction));
        for (const [b, box] of sent.entries()) {
          const targets = cellsOf(arriving[b]);
          for (const [j, source] of cellsOf(box).entries()) {
            for (const [f, { components }] of fields.entries()) for (let c = 0; c < components; c++) {
              const [value, i] = [before[rank][f][source * components + c], targets[j] * components + c];
              if (written.has(f + ":" + i)) expected[f][i].push(value); else expected[f][i] = [value];
              written.add(f + ":" + i);
              moved++;
            }
          }
        }
      });
      await check(expected, split ? "split" : "whole");
    }
    // The reverse: received boxes are sent back, and added to those that were sent. PoCL compiles the kernel for each size.
    if (round < 2) {
      for (const [f, field] of fields.entries()) await queue.write(field.memory, own[f]);
      const accumulate = await grid.accumulateLauncher("charges", fields, options);
      accumulate.launch(queue);
      const sums = own.map((values) => values.slice());
      forEachNeighbor((rank, direction) => {
        const { sent, arriving } = traffic.get(String(direction));
        for (const [b, box] of sent.entries()) {
          const sources = cellsOf(arriving[b]);
          for (const [j, target] of cellsOf(box).entries()) {
            for (const [f, { components }] of fields.entries()) for (let c = 0; c < components; c++) {
              sums[f][target * components + c] += before[rank][f][sources[j] * components + c];
            }
          }
        }
      });
      await check(sums.map((values) => Array.from(values, (value) => [value])), "accumulate");
      accumulate.release();
    }
    for (const field of fields) field.release();
  }
  await mpi.finalize();
  print([moved > 0]);`;

/** Prints a digest of the temperatures after some steps. */
const heat = (overlaps: boolean): string => `
  import { createHash } from "node:crypto";
  const mpi = await Mpi.init();
  const context = mpi.createContext();
  const queue = new CommandQueue(context);
  const grid = await Grid.create(mpi.world, { shape: [37, 41], periodic: [true, false] });
  const [u, v] = [grid.field(context, Float32Array), grid.field(context, Float32Array)];
  await u.fill(queue, (y, x) => Math.sin(x) * Math.cos(y) + x % 5);
  const program = await new Program(context, \`
    __kernel void diffuse(__global const float *u, __global float *v, const int pitch) {
      const int i = get_global_id(1) * pitch + get_global_id(0);
      v[i] = u[i] + 0.1f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - 4 * u[i]);
    }\`).build();
  const diffuse = (from, to, box = { global: grid.inner, offset: grid.origin }) =>
    new KernelLauncher("diffuse", program, { args: [from.memory, to.memory, grid.rowPitch], ...box });
  const step = new ListLauncher("step");
  for (const [from, to] of [[u, v], [v, u]]) {
    if (${overlaps}) {
      const { begin, end } = grid.splitExchange("ghosts", [from]);
      const { inside, edges } = grid.boxes();
      step.push(begin, diffuse(from, to, inside), end, ...edges.map((edge) => diffuse(from, to, edge)));
    } else step.push(grid.exchangeLauncher("ghosts", [from]), diffuse(from, to));
  }
  for (let t = 0; t < 60; t++) {
    step.launch(queue);
    // JavaScript may be blocked while messages are on their way.
    if (t % 20 === 19) queue.finishSync();
  }
  const whole = await grid.gather(queue, u);
  await mpi.finalize();
  if (whole) print([createHash("sha256").update(whole).digest("hex")]);`;

describeMpis((mpi) => {
  test.each(rankCounts)("ghosts and whole fields of random grids on %d ranks", async (ranks) => {
    const results = resultsOf(await runRanks(mpi, ranks, randomGrids));
    expect(results).toEqual(Array.from({ length: ranks }, () => [true]));
  });

  test.each(rankCounts)("random boxes of cells on %d ranks move as in a model", { tags: "ci" }, async (ranks) => {
    const results = resultsOf(await runRanks(mpi, ranks, randomBoxes));
    expect(results).toEqual(Array.from({ length: ranks }, () => [true]));
  });

  test("a timestep has the same bits on one to four ranks, with and without overlap", { tags: "ci" }, async () => {
    const jobs = [false, true].flatMap((overlaps) => [1, 2, 3, 4].map((ranks) => [ranks, heat(overlaps)] as const));
    const digests = [];
    for (const [ranks, program] of sample(jobs, 2)) digests.push(...resultsOf(await runRanks(mpi, ranks, program)));
    expect(digests).toHaveLength(sample(jobs, 2).length);
    expect(new Set(digests.map(String)).size).toBe(1);
  });

  test("mistakes throw before MPI is called", async () => {
    const program = `
      const mpi = await Mpi.init();
      const { world } = mpi;
      const context = mpi.createContext();
      const queue = new CommandQueue(context);
      await expectError("shape", () => Grid.create(world, { shape: [] }), /options.shape must be an array of one to three/);
      await expectError("shape", () => Grid.create(world, { shape: [0] }), /options.shape\\[0\\]/);
      await expectError("few cells", () => Grid.create(world, { shape: [1] }), /cannot be divided among 2 ranks/);
      await expectError("ghosts", () => Grid.create(world, { shape: [6, 6], ghosts: 4, ranks: [2, 1] }), /options.ghosts\\[0\\] is 4, but ranks have only 3 cells/);
      await expectError("ghosts", () => Grid.create(world, { shape: [6, 6], ghosts: [1] }), /options.ghosts must have 2 elements/);
      await expectError("periodic", () => Grid.create(world, { shape: [6], periodic: 1 }), /options.periodic\\[0\\]/);
      await expectError("ranks", () => Grid.create(world, { shape: [6, 6], ranks: [2, 2] }), /cannot be divided among 2 ranks as options.ranks/);
      await expectError("option", () => Grid.create(world, { shape: [6], halo: 1 }), /halo/);
      const grid = await Grid.create(world, { shape: [8, 8] });
      const other = await Grid.create(world, { shape: [8, 8] });
      const u = grid.field(context, Float32Array), v = other.field(context, Float32Array);
      await expectError("type", () => grid.field(context, Array), /type must be the class of a typed array/);
      await expectError("components", () => grid.field(context, Int8Array, { components: 0 }), /options.components/);
      await expectError("values", () => u.write(queue, new Float32Array(3)), /values must be a Float32Array with 32 elements/);
      await expectError("function", () => u.fill(queue, 3), /valueAt must be a function/);
      await expectError("fields", () => grid.exchangeLauncher("x", []), /at least one field/);
      await expectError("fields", () => grid.exchangeLauncher("x", [v]), /fields\\[0\\] must be a field of this grid/);
      await expectError("fields", () => grid.exchangeLauncher("x", [u, u]), /fields\\[1\\] is in the list twice/);
      await expectError("fields", () => grid.exchangeLauncher("x", [u.memory]), /fields\\[0\\] must be a Field/);
      await expectError("fields", () => grid.accumulateLauncher("x", []), /at least one field/);
      await expectError("mirrored", () => grid.exchangeLauncher("x", [u], { mirrored: 1 }), /options.mirrored must be true or false/);
      await expectError("mirrored", () => grid.exchangeLauncher("x", [u], { mirrored: [true] }), /options.mirrored must have 2 elements/);
      const ring = await Grid.create(world, { shape: [8, 8], periodic: [true, false] });
      const w = ring.field(context, Int8Array);
      await expectError("mirrored", () => ring.exchangeLauncher("x", [w], { mirrored: [true, false] }), /options.mirrored\\[0\\] must be false: the axis is periodic/);
      await expectError("whole", () => grid.scatter(queue, u, world.isRoot ? new Float32Array(1) : undefined, world.isRoot ? 0 : 5), /cells must be a Float32Array with 64 elements|root must be a rank/);
      // On two ranks, this grid has one along its second axis.
      const tube = await Grid.create(world, { shape: [8, 8], ranks: [2, 1], periodic: [false, true] });
      const t = tube.field(context, Float32Array);
      const expectBoxes = (boxes, pattern, more) =>
        expectError("boxes", () => tube.exchangeLauncher("x", [t], { boxes, corners: false, ...more }), pattern);
      const box = (start, end) => ({ start, end });
      const one = box([0, 0], [1, 1]);
      await expectBoxes([one], /options.boxes must be a function/);
      await expectBoxes(() => undefined, /options.boxes cannot be combined with options.mirrored/, { mirrored: true });
      await expectBoxes(() => null, /options.boxes\\(\\[-?\\d, -?\\d\\]\\) must be an object/);
      await expectBoxes(() => ({ sent: [one] }), /options.boxes\\(\\[-?\\d, -?\\d\\]\\).received must be an array of boxes/);
      await expectBoxes(() => ({ sent: [], received: [] }), /must have boxes, or be undefined/);
      await expectBoxes(() => ({ sent: [one], recieved: [] }), /recieved/);
      const sends = (sent) => () => ({ sent: [sent], received: [one] });
      await expectBoxes(sends(7), /sent\\[0\\] must be an object/);
      await expectBoxes(sends(box([0], [1])), /sent\\[0\\].start must have 2 elements/);
      await expectBoxes(sends(box([0, 0], [1, 11])), /sent\\[0\\].end\\[1\\] must be an integer from 1 to 10, received number 11/);
      await expectBoxes(sends(box([-1, 0], [1, 1])), /sent\\[0\\].start\\[0\\] must be an integer from 0 to 5/);
      await expectBoxes(sends(box([2, 0], [2, 1])), /sent\\[0\\].end\\[0\\] must be an integer from 3 to 6/);
      await expectBoxes(sends(box([0, "0"], [1, 1])), /sent\\[0\\].start\\[1\\] must be an integer/);
      const along = (down, up) => ([y, x]) => (y !== 0 ? undefined : x < 0 ? down : up);
      const two = box([1, 1], [2, 3]);
      await expectBoxes(along({ sent: [two], received: [] }), /options.boxes\\(\\[0, 1\\]\\).received must have as many boxes as options.boxes\\(\\[0, -1\\]\\).sent, .*: expected 1, received 0/);
      await expectBoxes(along(undefined, { sent: [], received: [two] }), /expected 0, received 1/);
      await expectBoxes(along({ sent: [two], received: [] }, { sent: [], received: [one] }), /options.boxes\\(\\[0, 1\\]\\).received\\[0\\] must have the size of .*: expected 1 x 2 cells, received 1 x 1/);
      await expectBoxes(along({ sent: [two], received: [] }, { sent: [], received: [box([1, 2], [2, 4])] }), /options.boxes\\(\\[0, 1\\]\\).received\\[0\\] overlaps options.boxes\\(\\[0, -1\\]\\).sent\\[0\\]/);
      await expectError("accumulate", () => tube.accumulateLauncher("x", [t], { boxes: 1 }), /options.boxes must be a function/);
      await expectError("split", () => tube.splitExchange("x", [t], { boxes: 1 }), /options.boxes must be a function/);
      const exchange = grid.exchangeLauncher("ghosts", [u]);
      await expectError("queue", () => exchange.launch(new CommandQueue(context, { outOfOrder: true })), /queue must be in order/);
      exchange.release();
      await expectError("released", () => exchange.launch(queue), /released/);
      await world.barrier();
      await mpi.finalize();
      print(["done"]);`;
    expect(resultsOf(await runRanks(mpi, 2, program))).toEqual([["done"], ["done"]]);
  });

  test("kernels read what all ranks have computed, in the same launch", { tags: "ci" }, async () => {
    const program = `
      const mpi = await Mpi.init();
      const { world } = mpi;
      const context = mpi.createContext();
      const queue = new CommandQueue(context);
      const program = await new Program(context, \`
        __kernel void grow(__global double *sum, const int rank) { sum[get_global_id(0)] += rank + 1 + get_global_id(0); }
        __kernel void keep(__global const double *sum, __global double *history, const int step) {
          history[step * 3 + get_global_id(0)] = sum[get_global_id(0)];
          }\`).build();
      const sum = DeviceBuffer.from(context, new Float64Array(3));
      const steps = 40;
      const history = DeviceBuffer.from(context, new Float64Array(3 * steps));
      const step = new ListLauncher("step").push(
        new KernelLauncher("grow", program, { kernel: "grow", args: [sum, world.rank], global: 3 }),
        await world.allreduceLauncher("sum", sum, "max"),
        new KernelLauncher("keep", program, { kernel: "keep", args: [sum, history], parameters: ["step"], global: 3 }),
      );
      // Operations of the same communicator are started meanwhile.
      const others = [];
      for (let t = 0; t < steps; t++) { step.launch(queue, { step: t }); others.push(world.allreduce(t)); }
      await queue.finish();
      const found = await queue.read(history, Float64Array);
      const expected = found.map((_, i) => (Math.floor(i / 3) + 1) * (world.size + (i % 3)));
      if (found.some((value, i) => value !== expected[i])) throw new Error(found.join());
      const totals = await Promise.all(others);
      if (totals.some((total, t) => total !== t * world.size)) throw new Error(totals.join());
      await expectError("type", () => world.allreduceLauncher("x", 1), /buffer must be a DeviceBuffer/);
      await expectError("bits", () => world.allreduceLauncher("x", sum, "and"), /must be integers/);
      const long = DeviceBuffer.empty(context, Int8Array, 2 ** 31);
      await expectError("long", () => world.allreduceLauncher("x", long), /buffer has 2147483648 elements; MPI moves at most/);
      await mpi.finalize();
      print(["done"]);`;
    for (const ranks of rankCounts) {
      const results = resultsOf(await runRanks(mpi, ranks, program));
      expect(results).toEqual(Array.from({ length: ranks }, () => ["done"]));
    }
  });

  test("exchanges on two queues do not take each other's messages", { tags: "ci" }, async () => {
    const program = `
      const mpi = await Mpi.init();
      const context = mpi.createContext();
      const queues = [new CommandQueue(context), new CommandQueue(context)];
      const grid = await Grid.create(mpi.world, { shape: [12, 12], periodic: true });
      const fields = [grid.field(context, Float32Array), grid.field(context, Float64Array)];
      const exchanges = fields.map((field, i) => grid.exchangeLauncher("ghosts " + i, [field]));
      for (let round = 0; round < 30; round++) {
        await Promise.all(fields.map((field, i) => field.fill(queues[i], (y, x) => 100 * round + 12 * y + x)));
        const order = (round + mpi.world.rank) % 2 === 0 ? [0, 1] : [1, 0];
        for (const i of order) exchanges[i].launch(queues[i]);
        for (const [i, field] of fields.entries()) {
          const type = field.arrayFor(0).constructor;
          const corner = (await queues[i].read(field.memory, type))[0];
          const [y, x] = grid.start.map((start) => (start + 11) % 12);
          if (corner !== 100 * round + 12 * y + x) throw new Error("round " + round + ": " + corner);
        }
      }
      await mpi.finalize();
      print(["done"]);`;
    const results = resultsOf(await runRanks(mpi, 4, program));
    expect(results).toEqual(Array.from({ length: 4 }, () => ["done"]));
  });

  test("cells move to pencils and back, in lists", { tags: "ci" }, async () => {
    const program = `
      const mpi = await Mpi.init();
      const context = mpi.createContext();
      const queue = new CommandQueue(context);
      for (const [shape, ghosts, components] of [[[6, 9], 1, 1], [[5, 4, 7], 1, 2], [[8, 8, 8], 0, 1]]) {
        const grid = await Grid.create(mpi.world, { shape, ghosts });
        const u = grid.field(context, Float64Array, { components });
        const index = (place) => place.reduce((sum, at, axis) => sum * shape[axis] + at, 0);
        await u.fill(queue, (...place) => Array.from({ length: components }, (_, c) => index(place) * components + c));
        const list = new ListLauncher("round trip");
        const fields = [u];
        for (const axis of [...shape.keys()].reverse()) {
          const pencil = await grid.pencil(axis);
          if (pencil.cells[axis] !== shape[axis]) throw new Error("axis " + axis + " is divided: " + pencil);
          const next = pencil.field(context, Float64Array, { components });
          list.push(await grid.transposeLauncher("to axis " + axis, fields.at(-1), next));
          fields.push(next);
        }
        const back = grid.field(context, Float64Array, { components });
        list.push(await grid.transposeLauncher("back", fields.at(-1), back));
        for (let t = 0; t < 3; t++) list.launch(queue);
        for (const field of [...fields, back]) {
          const { start, cells } = field.grid;
          const found = await field.read(queue);
          let at = 0;
          const visit = (place, axis) => {
            if (axis === shape.length) {
              for (let c = 0; c < components; c++) if (found[at++] !== index(place) * components + c) throw new Error(field.grid + ": [" + place + "]");
              return;
            }
            for (let i = 0; i < cells[axis]; i++) visit([...place, start[axis] + i], axis + 1);
          };
          visit([], 0);
        }
        // Ghosts stay as they were.
        if ((await queue.read(back.memory, Float64Array)).filter((value) => value !== 0).length > found(back) ) throw new Error("ghosts");
        function found(field) { return field.grid.cells.reduce((product, size) => product * size, components); }
        await expectError("types", () => grid.transposeLauncher("x", u, grid.field(context, Float32Array, { components })), /element type/);
        await expectError("same", () => grid.transposeLauncher("x", u, u), /another field/);
        await expectError("axis", () => grid.pencil(shape.length), /axis/);
      }
      await mpi.finalize();
      print(["done"]);`;
    for (const ranks of rankCounts) {
      const results = resultsOf(await runRanks(mpi, ranks, program));
      expect(results).toEqual(Array.from({ length: ranks }, () => ["done"]));
    }
  });

  test("all ranks write one file that NumPy reads, or none", { tags: "ci" }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "cl-mpi-npy-"));
    try {
      const program = `
        const mpi = await Mpi.init();
        const queue = new CommandQueue(mpi.createContext());
        for (const [name, type, shape, components] of [["a", Float32Array, [7], 1], ["b", Int16Array, [5, 6], 2], ["c", BigUint64Array, [4, 5, 6], 1]]) {
          const grid = await Grid.create(mpi.world, { shape, ghosts: [2, 1, 0].slice(0, shape.length).map((width) => Math.min(width, 1)) });
          const field = grid.field(queue.context, type, { components });
          const index = (place) => place.reduce((sum, at, axis) => sum * shape[axis] + at, 0);
          await field.fill(queue, (...place) => Array.from({ length: components }, (_, c) => name === "c" ? BigInt(index(place)) : index(place) * components + c));
          await grid.writeNpy(queue, field, ${JSON.stringify(folder)} + "/" + name + ".npy");
        }
        const grid = await Grid.create(mpi.world, { shape: [8] });
        const field = grid.field(queue.context, Int8Array);
        await expectError("folder", () => grid.writeNpy(queue, field, ${JSON.stringify(folder)} + "/missing/d.npy"), /ENOENT|rank 0 could not write/);
        await mpi.finalize();
        print(["done"]);`;
      expect(resultsOf(await runRanks(mpi, 4, program))).toHaveLength(4);
      expect(readdirSync(folder).sort()).toEqual(["a.npy", "b.npy", "c.npy"]);
      for (const [name, header, count, type] of [
        ["a", "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }", 7, Float32Array],
        ["b", "{'descr': '<i2', 'fortran_order': False, 'shape': (5, 6, 2), }", 60, Int16Array],
        ["c", "{'descr': '<u8', 'fortran_order': False, 'shape': (4, 5, 6), }", 120, BigUint64Array],
      ] as const) {
        const file = readFileSync(path.join(folder, `${name}.npy`));
        expect(file.toString("latin1", 0, 8)).toBe("\u0093NUMPY\u0001\u0000");
        const start = 10 + file.readUInt16LE(8);
        expect(start % 64).toBe(0);
        expect(file.toString("latin1", 10, start).trimEnd()).toBe(header);
        const values = new type(file.buffer.slice(file.byteOffset + start, file.byteOffset + file.length));
        expect(Array.from(values, Number)).toEqual(Array.from({ length: count }, (_, i) => i));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("exchanges do not grow the memory", { tags: "full" }, async () => {
    const program = `
      const mpi = await Mpi.init();
      const context = mpi.createContext();
      const queue = new CommandQueue(context);
      const grid = await Grid.create(mpi.world, { shape: [16, 16], periodic: true });
      const u = grid.field(context, Float32Array);
      const step = new ListLauncher("step").push(grid.exchangeLauncher("ghosts", [u]));
      const run = async (count) => { for (let t = 0; t < count; t++) { step.launch(queue); if (t % 50 === 49) await queue.finish(); } };
      await run(2000);
      const before = process.memoryUsage().rss;
      await run(20_000);
      const grown = process.memoryUsage().rss - before;
      await mpi.finalize();
      print([grown < 16 * 2 ** 20 ? "steady" : grown]);`;
    expect(resultsOf(await runRanks(mpi, 2, program, { limit: 110_000 }))).toEqual([["steady"], ["steady"]]);
  });
});
