/** Messages and collective operations, each against a plain computation. */
import { sample } from "@cl/testing/level";
import { expect, test } from "vitest";

import { describeMpis, rankCounts, resultsOf, runRanks } from "./support/run-ranks.js";

describeMpis((mpi) => {
  test.each(rankCounts)("%d ranks compute what a plain program does", async (ranks) => {
    const program = `
      const mpi = await Mpi.init();
      const { world } = mpi;
      const { rank, size } = world;
      const all = Array.from({ length: size }, (_, i) => i);
      const same = (name, found, expected) => {
        const text = (value) => JSON.stringify(value, (_, v) => typeof v === "bigint" ? v + "n" : ArrayBuffer.isView(v) ? [v.constructor.name, ...v] : v);
        if (text(found) !== text(expected)) throw new Error(name + ": " + text(found) + " instead of " + text(expected));
      };
      const types = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array];
      const value = (type, n) => type.name.startsWith("Big") ? BigInt(n) : n;
      const array = (type, r, length = 3) => type.from({ length }, (_, i) => value(type, 2 + r + 3 * i));
      const reductions = {
        sum: (a, b) => a + b, product: (a, b) => a * b, min: (a, b) => (a < b ? a : b), max: (a, b) => (a > b ? a : b),
        and: (a, b) => a & b, or: (a, b) => a | b,
      };
      const next = (rank + 1) % size, before = (rank + size - 1) % size;
      for (const type of types) {
        const name = type.name;
        // Messages, in a ring.
        const got = new type(3);
        const receiving = world.recv(got, before, { tag: 5 });
        await world.send(array(type, rank), next, { tag: 5 });
        same(name + " recv", await receiving, { source: before, tag: 5 });
        same(name + " message", got, array(type, before));
        const blocking = new type(3);
        if (size === 1) { const r = world.recv(blocking); world.sendSync(array(type, 9), 0); await r; }
        else if (rank % 2 === 0) { world.sendSync(array(type, rank), next); if (rank > 0 || size % 2 === 0) world.recvSync(blocking, before); }
        else { world.recvSync(blocking, before); world.sendSync(array(type, rank), next); }
        if (size > 1 && size % 2 === 1 && rank === 0) world.recvSync(blocking, before);
        same(name + " blocking", blocking, array(type, size === 1 ? 9 : before));
        for (const root of all) {
          const data = array(type, rank);
          same(name + " broadcast", await world.broadcast(data, root), array(type, root));
          same(name + " broadcastSync", world.broadcastSync(array(type, rank), root), array(type, root));
          const parts = all.map((r) => array(type, r, r + 1));
          same(name + " gather", await world.gather(array(type, rank, rank + 1), root), rank === root ? parts : undefined);
          same(name + " gatherSync", world.gatherSync(array(type, rank, rank), root), rank === root ? all.map((r) => array(type, r, r)) : undefined);
          same(name + " scatter", await world.scatter(rank === root ? parts : new type(0), root), parts[rank]);
          same(name + " scatterSync", world.scatterSync(rank === root ? parts : new type(0), root), parts[rank]);
        }
        same(name + " allgather", await world.allgather(array(type, rank, rank)), all.map((r) => array(type, r, r)));
        same(name + " allgatherSync", world.allgatherSync(array(type, rank, 2)), all.map((r) => array(type, r, 2)));
        const sent = (from) => all.map((to) => array(type, 10 * from + to, from + to));
        same(name + " alltoallv", await world.alltoallv(sent(rank)), all.map((from) => array(type, 10 * from + rank, from + rank)));
        same(name + " alltoallvSync", world.alltoallvSync(sent(rank)), all.map((from) => array(type, 10 * from + rank, from + rank)));
        for (const [operation, combine] of Object.entries(reductions)) {
          if (operation === "and" || operation === "or") if (name.startsWith("Float")) continue;
          const expected = array(type, 0).map((_, i) => type.of(all.map((r) => array(type, r)[i]).reduce(combine))[0]);
          if (operation === "product" && name.includes("8") && size > 2) continue;
          same(name + " allreduce " + operation, await world.allreduce(array(type, rank), operation), expected);
          same(name + " allreduceSync " + operation, world.allreduceSync(array(type, rank), operation), expected);
          const own = array(type, rank);
          same(name + " in place", await world.allreduce(own, operation, own), expected);
          same(name + " reduce " + operation, await world.reduce(array(type, rank), operation, size - 1), rank === size - 1 ? expected : undefined);
          same(name + " reduceSync " + operation, world.reduceSync(array(type, rank), operation, 0), rank === 0 ? expected : undefined);
        }
      }
      same("number", await world.allreduce(rank + 0.5), all.reduce((sum, r) => sum + r + 0.5, 0));
      same("number", world.allreduceSync(rank, "max"), size - 1);
      same("JSON", await world.broadcastJson({ from: rank, text: "ä" }, size - 1), { from: size - 1, text: "ä" });
      same("JSON", world.broadcastJsonSync([rank]), [0]);
      await world.barrier();
      world.barrierSync();
      // Communicators.
      const half = await world.split(rank % 2, -rank);
      const members = all.filter((r) => r % 2 === rank % 2).reverse();
      same("split", [half.rank, half.size, await half.allgather(Int32Array.of(rank))], [members.indexOf(rank), members.length, members.map((r) => Int32Array.of(r))]);
      const some = await world.split(rank === 0 ? undefined : 1);
      same("none", [some === undefined, some?.size], [rank === 0, rank === 0 ? undefined : size - 1]);
      same("shared", (await world.splitShared()).size, size);
      const twin = await world.duplicate();
      // Messages of one communicator never meet those of another.
      const [a, b] = [new Int32Array(1), new Int32Array(1)];
      const first = twin.recv(a, before), second = world.recv(b, before);
      await world.send(Int32Array.of(1), next);
      await twin.send(Int32Array.of(2), next);
      await Promise.all([first, second]);
      same("duplicate", [a, b], [Int32Array.of(2), Int32Array.of(1)]);
      await twin.release();
      await half.release();
      const ring = await world.cartesian({ shape: [1, 0], periodic: [false, true] });
      same("cartesian", [ring.shape, ring.coordinates, ring.rankAt([0, rank + 1]), ring.rankAt([1, 0])], [[1, size], [0, rank], next, undefined]);
      const grid = await Grid.create(world, { shape: [size, 4], ranks: [size, 1], ghosts: 0, periodic: [true, false] });
      same("neighbors", [grid.neighbor([1, 0]), grid.neighbor([-1, 0]), grid.neighbor([0, 1])], [next, before, undefined]);
      same("place", grid.communicator.coordinatesOf(next), [next, 0]);
      // Two of a kind in flight at once.
      const pairs = (operation) => Promise.all([operation(1), operation(2)]);
      const arrays = [new Int32Array(1), new Int32Array(1)];
      const receiving = pairs((tag) => world.recv(arrays[2 - tag], before, { tag }));
      await pairs((tag) => world.send(Int32Array.of(10 * tag + rank), next, { tag }));
      same("two messages", [await receiving, arrays], [[1, 2].map((tag) => ({ source: before, tag })), [[20 + before], [10 + before]].map((list) => Int32Array.from(list))]);
      await pairs(() => world.barrier());
      same("two sums", await pairs((i) => world.allreduce(i * (rank + 1))), [1, 2].map((i) => all.reduce((sum, r) => sum + i * (r + 1), 0)));
      same("two broadcasts", await pairs((i) => world.broadcast(Int32Array.of(rank + i), size - 1)), [1, 2].map((i) => Int32Array.of(size - 1 + i)));
      same("two gathers", await pairs((i) => world.allgather(Int32Array.of(i, rank))), [1, 2].map((i) => all.map((r) => Int32Array.of(i, r))));
      const kinds = [() => world.allgather(Int32Array.of(rank)), () => world.allreduce(1), () => world.split(0), () => world.barrier(), () => world.gather(Int8Array.of(rank)), () => world.broadcast(Int8Array.of(rank))];
      const mixed = await Promise.all([...kinds, ...kinds.reverse()].map((start) => start()));
      same("collective calls at once", [mixed[0], mixed[1], mixed[2].size, mixed[5]], [all.map((r) => Int32Array.of(r)), size, size, Int8Array.of(0)]);
      const late = world.allgather(Int8Array.of(rank));
      await expectError("blocking meanwhile", () => world.barrierSync(), /barrierSync must not overtake an earlier operation/);
      await late;
      same("two splits", (await pairs((i) => world.split(rank % i))).map((made) => made.size), [size, all.filter((r) => r % 2 === rank % 2).length]);
      // Any source, any tag, and many messages at once.
      const many = 50;
      if (rank === 0) {
        const seen = new Map();
        for (let i = 0; i < many * (size - 1); i++) {
          const message = new Int32Array(2);
          const { source, tag } = await world.recv(message);
          if (message[0] !== source || message[1] !== tag) throw new Error("wrong message");
          if (tag !== (seen.get(source) ?? 0)) throw new Error("overtaken");
          seen.set(source, tag + 1);
        }
      } else await Promise.all(Array.from({ length: many }, (_, tag) => world.send(Int32Array.of(rank, tag), 0, { tag })));
      await mpi.finalize();
      print({ rank, size, local: [mpi.localRank, mpi.localSize] });`;
    const results = resultsOf(await runRanks(mpi, ranks, program));
    expect(results).toEqual(Array.from({ length: ranks }, (_, rank) => ({ rank, size: ranks, local: [rank, ranks] })));
  });

  test.each(rankCounts)(
    "arrays on devices are operands like typed arrays, on %d ranks",
    { tags: "ci" },
    async (ranks) => {
      const program = `
      import { arrays } from "@cl/array";
      const mpi = await Mpi.init();
      const { world } = mpi;
      const { rank, size } = world;
      const xp = arrays(new CommandQueue(mpi.createContext()));
      const all = Array.from({ length: size }, (_, i) => i);
      const same = async (name, found, expected) => {
        const list = Array.isArray(found) ? await Promise.all(found.map((one) => one.toNested())) : await found.toNested();
        if (JSON.stringify(list) !== JSON.stringify(expected)) throw new Error(name + ": " + JSON.stringify(list) + " instead of " + JSON.stringify(expected));
      };
      const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];
      const matrix = (r) => [[r, r + 1], [r + 2, r + 3]];
      for (const dtype of ${JSON.stringify(sample(["float32", "float64", "int32", "uint8"], 1))}) {
        const mine = xp.array(matrix(rank), { dtype });
        // Two at once, of the same tag: they arrive in the order of the calls, although the second is in host memory.
        const [into, second] = [xp.zeros([2, 2], { dtype }), xp.zeros([2], { dtype })];
        const received = [world.recv(into, before), world.recv(second, before)];
        const sums = mine.sum({ axis: 0, dtype });
        await Promise.all([world.send(mine, next), world.send(await sums.data(), next)]);
        await Promise.all(received);
        await same("recv", into, matrix(before));
        await same("second", second, [2 * before + 2, 2 * before + 4]);
        const other = xp.zeros([2, 2], { dtype });
        const three = [world.recv(other, before, { tag: 3 }), world.send(mine, next, { tag: 3 })];
        const four = [world.recv(into, before, { tag: 3 }), world.send(mine.mul(2).astype(dtype), next, { tag: 3 })];
        await Promise.all([...three, ...four]);
        await same("first in flight", other, matrix(before));
        await same("second in flight", into, matrix(before).map((row) => row.map((value) => 2 * value)));
        for (const root of all) {
          await same("broadcast", await world.broadcast(xp.array(matrix(rank), { dtype }), root), matrix(root));
          await same("broadcastSync", world.broadcastSync(xp.array(matrix(rank), { dtype }), root), matrix(root));
          const parts = await world.gather(mine, root);
          if (rank === root) await same("gather", parts, all.map(matrix));
          else if (parts !== undefined) throw new Error("gather");
          const blocking = world.gatherSync(mine, root);
          if (rank === root) await same("gatherSync", blocking, all.map(matrix));
          const given = rank === root ? all.map((r) => xp.array(matrix(r + 10), { dtype })) : mine;
          await same("scatter", await world.scatter(given, root), matrix(rank + 10));
          await same("scatterSync", world.scatterSync(given, root), matrix(rank + 10));
          const total = await world.reduce(mine, "max", root);
          if (rank === root) await same("reduce", total, matrix(size - 1));
        }
        const total = matrix(0).map((row) => row.map((value) => all.reduce((sum, r) => sum + r + value, 0)));
        await same("allreduce", await world.allreduce(mine), total);
        await same("allreduceSync", world.allreduceSync(mine), total);
        if ((await world.allreduce(mine, "sum", into)) !== into) throw new Error("into");
        await same("into", into, total);
        await same("allgather", await world.allgather(mine), all.map(matrix));
        await same("allgatherSync", world.allgatherSync(mine.slice(0)), all.map((r) => [r, r + 1]));
        const sent = (from) => all.map((to) => xp.array([from, to], { dtype }));
        await same("alltoallv", await world.alltoallv(sent(rank)), all.map((from) => [from, rank]));
        await same("alltoallvSync", world.alltoallvSync(sent(rank)), all.map((from) => [from, rank]));
        await same("the original", mine, matrix(rank));
      }
      // Not those that MPI would combine wrongly.
      const complex = xp.array([{ re: 1, im: rank }], { dtype: "complex64" });
      await same("complex", await world.allreduce(complex), [{ re: size, im: all.reduce((sum, r) => sum + r, 0) }]);
      await expectError("complex", () => world.allreduce(complex, "product"), /data must be an array of a dtype that "product" can combine/);
      await expectError("bool", () => world.allreduce(xp.array([true])), /can combine/);
      await expectError("into", () => world.allreduce(xp.zeros([2]), "sum", xp.zeros([3])), /into must be a writable array on the device, of float64\\[2\\]/);
      await expectError("into", () => world.allreduce(new Float64Array(2), "sum", xp.zeros([2])), /into must be a typed array/);
      await expectError("read-only", () => world.recv(xp.zeros([1]).broadcastTo([2]), 0), /into must not be read-only/);
      await mpi.finalize();
      print(["done"]);`;
      const results = resultsOf(await runRanks(mpi, ranks, program));
      expect(results).toEqual(Array.from({ length: ranks }, () => ["done"]));
    },
  );

  test("collective operations that run together keep the order of the calls", { tags: "ci" }, async () => {
    // Gathers exchange lengths first: without an order, their second halves start as messages happen to arrive.
    const program = `
      const mpi = await Mpi.init();
      const { world } = mpi;
      const { rank, size } = world;
      for (let round = 0; round < 200; round++) {
        const mine = Float64Array.from({ length: 1 + ((rank + round) % 3) }, () => 10 * round + rank);
        const [a, b, total, c, twin] = await Promise.all([
          world.allgather(mine),
          world.gather(Int32Array.of(rank, round), round % size),
          world.allreduce(rank + round),
          world.alltoallv(Array.from({ length: size }, (_, to) => Uint8Array.of(rank, to, round))),
          round % 50 === 0 ? world.duplicate() : undefined,
        ]);
        await twin?.release();
        const found = JSON.stringify([a.map((one) => [...one]), b?.map((one) => [...one]), total, c.map((one) => [...one])]);
        const all = Array.from({ length: size }, (_, r) => r);
        const expected = JSON.stringify([
          all.map((r) => Array.from({ length: 1 + ((r + round) % 3) }, () => 10 * round + r)),
          rank === round % size ? all.map((r) => [r, round]) : undefined,
          all.reduce((sum, r) => sum + r + round, 0),
          all.map((r) => [r, rank, round]),
        ]);
        if (found !== expected) throw new Error("round " + round + ": " + found + " instead of " + expected);
      }
      const early = world.allgather(Int32Array.of(1));
      await expectError("overtaking", () => world.barrierSync(), /barrierSync must not overtake an earlier operation/);
      await early;
      world.barrierSync();
      await mpi.finalize();
      print(["done"]);`;
    const results = resultsOf(await runRanks(mpi, 3, program));
    expect(results).toEqual(Array.from({ length: 3 }, () => ["done"]));
  });

  test("mistakes throw before MPI is called", async () => {
    const program = `
      import { CartesianCommunicator, Communicator } from "@cl/mpi";
      const mpi = await Mpi.init();
      const { world } = mpi;
      const x = new Float32Array(2);
      await expectError("to", () => world.send(x, 2), /to must be a rank from 0 to 1, received 2/);
      await expectError("to", () => world.sendSync(x, 0.5), /to must be a rank from 0 to 1/);
      await expectError("from", () => world.recv(x, -1), /from must be a rank/);
      await expectError("root", () => world.broadcast(x, 7), /root must be a rank/);
      await expectError("tag", () => world.send(x, 1, { tag: -1 }), /options.tag must be/);
      await expectError("tag", () => world.send(x, 1, { tag: 2 ** 40 }), /options.tag must be/);
      await expectError("option", () => world.send(x, 1, { tags: 1 }), /tags/);
      await expectError("data", () => world.send([1], 1), /data must be a typed array/);
      await expectError("data", () => world.allreduce("x"), /data must be a typed array/);
      await expectError("resizable", () => world.send(new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })), 1), /resizable/);
      await expectError("operation", () => world.allreduce(x, "mean"), /operation must be one of/);
      await expectError("operation", () => world.allreduce(x, "and"), /must be integers/);
      await expectError("into", () => world.allreduce(x, "sum", new Float32Array(3)), /into must be a Float32Array with 2 elements/);
      await expectError("parts", () => world.alltoallv([x]), /parts must have 2 elements/);
      await expectError("parts", () => world.alltoallv([x, new Int32Array(1)]), /parts\\[1\\] must be a Float32Array/);
      await expectError("color", () => world.split(-1), /color/);
      await expectError("shape", () => world.cartesian({ shape: [3] }), /does not divide 2 ranks|shape/);
      if (world.isRoot) await expectError("json", () => world.broadcastJson(undefined), /value must be a value that JSON can represent/);
      await expectError("world", () => world.release(), /cannot be released/);
      for (const type of [Communicator, CartesianCommunicator]) {
        await expectError(type.name, () => new type(), /cannot be constructed/);
      }
      await world.barrier();
      await mpi.finalize();
      await expectError("ended", () => world.barrier(), /ended|finalized/i);
      print("done");`;
    expect(resultsOf(await runRanks(mpi, 2, program))).toEqual(["done", "done"]);
  });
});
