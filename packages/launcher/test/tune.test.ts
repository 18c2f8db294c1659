import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { DeviceBuffer, handleCounts, Image, ImageFormat, LocalMemory, Program, SvmAllocation } from "@cl/core";
import { tune, type TuningConfig, type TuningProgress } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { collectGarbage, needs } from "@cl/base/testing";
import { sample } from "@cl/testing/level";
import { hasSvm } from "@cl/testing/svm";
import { useCacheFolder } from "./support/cache-folder.js";
import { resultOfModule } from "./support/child.js";
import { context, floats, ints, queue, read } from "./support/device.js";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

const { results } = useCacheFolder();

const twice = "__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }";
/** Short measurements; their duration is not tested here. */
const short = { seconds: 0.02 };
const [device] = context.devices;
/** A buffer of integers from 0. */
const upTo = (count: number): ReturnType<typeof ints> => ints(...Array(count).keys());

describe("a tuning", () => {
  test("finds a valid work-group size, and does not change the data", async () => {
    const x = upTo(256);
    const result = await tune(queue, { ...short, source: twice, args: [x], global: 256, verify: true });
    expect(result.source).toBe("measured");
    expect(await read(x)).toEqual(Array.from({ length: 256 }, (_, i) => i));
    const { best, candidates, possible } = result;
    expect(candidates[0]?.config).toEqual(best);
    expect(candidates).toHaveLength(possible);
    expect(candidates.some(({ config }) => config.local === null)).toBe(true);
    for (const { config, medianNs, reason } of candidates) {
      expect(config.parameters).toEqual({});
      expect((medianNs === undefined) === (reason !== undefined)).toBe(true);
      if (config.local !== null) expect(256 % (config.local[0] as number)).toBe(0);
    }
    const program = new Program(context, twice).buildSync();
    program.kernel("twice").launch(queue, { global: 256, local: best.local }, x);
    expect(await read(x)).toEqual(Array.from({ length: 256 }, (_, i) => 2 * i));
  });

  test("supports all kinds of memory without changing it", { tags: "ci" }, async (run) => {
    const source = `__kernel void all(__global const int *a, __global int *b, __constant int *c, __global int *d, int e, __local int *f) {
      size_t i = get_global_id(0);
      f[get_local_id(0)] = a[i] + c[0] + e;
      b[i] += f[get_local_id(0)];
      d[i] = b[i];
    }`;
    const whole = upTo(1024);
    const part = whole.subBuffer(2048, 256);
    const d = ints(...Array.from({ length: 64 }, () => 7));
    const one = ints(1);
    const args = ({ local }: TuningConfig<{}>): unknown[] => {
      return [whole, part, one, d, 3, new LocalMemory(4 * (local?.[0] ?? 64))];
    };
    const same = (values: ArrayBufferView, reference: ArrayBufferView): boolean => {
      expect(values).toBeInstanceOf(Int32Array);
      return (values as Int32Array).every((value, i) => value === (reference as Int32Array)[i]);
    };
    const { candidates } = await tune(context, { ...short, source, args, global: 64, verify: same });
    expect(candidates.filter(({ medianNs }) => medianNs === undefined)).toEqual([]);
    expect(await read(whole)).toEqual(Array.from({ length: 1024 }, (_, i) => i));
    expect(await read(d)).toEqual(Array.from({ length: 64 }, () => 7));
    // An argument that aliases a written argument shares its copy.
    const alias = `__kernel void alias(__global const int *a, __global int *b) { b[get_global_id(0)] = a[get_global_id(0)] + 1; }`;
    await tune(context, {
      ...short,
      source: alias,
      args: [whole, whole],
      global: 64,
      verify: (values) => (values as Int32Array).every((value, i) => value === (i < 64 ? i + 1 : i)),
    });
    expect(await read(whole)).toEqual(Array.from({ length: 1024 }, (_, i) => i));
    needs(run, hasSvm("COARSE_GRAIN_BUFFER"), "the device has no shared virtual memory");
    const svm = new SvmAllocation(context, 256);
    queue.enqueueSvmFill(svm, Int32Array.of(5));
    await tune(queue, { ...short, source: twice, args: [svm], global: 64, verify: true });
    expect([...(await queue.read(svm, Int32Array))]).toEqual(Array.from({ length: 64 }, () => 5));
  });

  test("does not change images", async (run) => {
    needs(run, device?.imageSupport === true, "the device has no images");
    const source = `__kernel void paint(__write_only image2d_t image) {
      write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), (float4)(1, 0, 0, 1));
    }`;
    const image = new Image(context, { format: new ImageFormat("RGBA", "UNORM_INT8"), shape: [16, 8] });
    queue.enqueueFill(image, [0, 0, 1, 1]).release();
    const before = await queue.read(image);
    const { best } = await tune(queue, { ...short, source, args: [image], global: [16, 8], verify: true });
    expect(best.local === null || best.local.length === 2).toBe(true);
    expect(await queue.read(image)).toEqual(before);
  });

  test("chooses among macro values, and reports why candidates are excluded", { tags: "ci" }, async () => {
    const source = `
      #if UNROLL == 4
      #error "four is too many"
      #endif
      __kernel void sum(__global const TYPE *x, __global int *y) {
        int sum = UNROLL == 3;
        for (int i = 0; i < 12; i += UNROLL) for (int j = 0; j < UNROLL; j++) sum += (int)x[i + j];
        y[get_global_id(0)] = sum;
      }`;
    const [x, y] = [upTo(12).as(Uint8Array), ints(0, 0)];
    const result = await tune(queue, {
      ...short,
      source,
      options: "-cl-mad-enable",
      args: ({ parameters }) => [parameters.TYPE === "int" ? x.as(Int32Array) : x.as(Uint32Array), y],
      parameters: { TYPE: ["int", "unsigned int"], UNROLL: [1, 2, 3, 4] },
      when: ({ TYPE, UNROLL }) => TYPE === "int" || UNROLL === 1,
      global: 2,
      local: [2, 1, 3],
      verify: true,
    });
    expect(await read(y)).toEqual([0, 0]);
    expect([1, 2]).toContain(result.best.parameters.UNROLL);
    const reasons = result.candidates.map(({ config: { parameters, local }, reason }) => [
      `${parameters.TYPE} ${parameters.UNROLL} ${String(local)}`,
      reason?.replace(/at most .*/, "…"),
    ]);
    const wrong = "argument 1 differs from the reference";
    const tooLarge = "the work-group size [3] is not supported: …";
    expect(Object.fromEntries(reasons)).toEqual({
      "int 1 1": undefined,
      "int 1 2": undefined,
      "int 1 3": tooLarge,
      "int 2 1": undefined,
      "int 2 2": undefined,
      "int 2 3": tooLarge,
      "int 3 1": wrong,
      "int 3 2": wrong,
      "int 3 3": tooLarge,
      "int 4 null": expect.stringContaining("it does not compile") as string,
      "unsigned int 1 1": undefined,
      "unsigned int 1 2": undefined,
      "unsigned int 1 3": tooLarge,
    });
    expect(result.possible).toBe(8);
  });

  test("accepts functions for sizes, programs and arguments, and reports progress", async () => {
    const y = upTo(32);
    const programs: Program[] = [];
    const progress: TuningProgress[] = [];
    const { best, candidates } = await tune(queue, {
      ...short,
      build: async ({ TILE }) => {
        const source = `__kernel void fill(__global int *y, __local int *t) {
          t[get_local_id(0)] = ${TILE};
          barrier(CLK_LOCAL_MEM_FENCE);
          y[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
        }`;
        const program = await new Program(context, source).build();
        programs.push(program);
        return program;
      },
      args: ({ local }) => [y, new LocalMemory(4 * (local as readonly [number])[0])],
      parameters: { TILE: [4, 8] },
      global: ({ TILE }) => 4 * TILE,
      local: ({ TILE }) => TILE,
      onProgress: (step) => progress.push(step),
    });
    expect(Object.fromEntries(candidates.map(({ config }) => [config.parameters.TILE, config.local?.[0]]))).toEqual({
      4: 4,
      8: 8,
    });
    expect(best.local).toEqual([best.parameters.TILE]);
    expect(programs.map(({ released }) => released)).toEqual([true, true]);
    expect(progress.slice(0, 2)).toEqual([
      { phase: "build", step: 1, steps: 2, candidates: 2 },
      { phase: "build", step: 2, steps: 2, candidates: 2 },
    ]);
    expect(progress[2]).toMatchObject({ phase: "measure", step: 1, candidates: 2 });
    expect(await results()).toEqual([]);
  });

  test("measures at most `limit` candidates, chosen by the seed", { tags: "ci" }, async () => {
    const options = {
      ...short,
      source: `__kernel void n(__global int *x) { x[get_global_id(0)] += N; }`,
      args: [ints(0)],
      parameters: { N: Array.from({ length: 50 }, (_, i) => i) },
      global: 1,
      local: () => null,
      limit: 3,
      cache: false,
    } as const;
    const one = await tune(queue, options);
    expect(one.possible).toBe(50);
    expect(one.candidates).toHaveLength(3);
    const values = (result: typeof one): unknown[] =>
      result.candidates.map(({ config }) => config.parameters.N).toSorted((a, b) => a - b);
    expect(values(await tune(queue, options))).toEqual(values(one));
    expect(values(await tune(queue, { ...options, seed: 2 }))).not.toEqual(values(one));
  });

  test("throws if no candidate can run", { tags: "ci" }, async () => {
    const source = `__attribute__((reqd_work_group_size(7, 1, 1))) __kernel void k(__global int *x) { x[get_global_id(0)]++; }`;
    const tuning = tune(queue, { ...short, source, args: [ints(1)], global: 1, local: [1] });
    await expect(tuning).rejects.toThrow(wrongState());
    const broken = tune(queue, { ...short, source: "__kernel void k() { what }", args: [], global: 1 });
    await expect(broken).rejects.toThrow(wrongState());
    const one = ints(...Array.from({ length: 7 }, () => 1));
    expect(
      (await tune(queue, { ...short, source, args: [one], global: 7 })).candidates.map(({ config }) => config.local),
    ).toContainEqual([7]);
  });

  test("rejects invalid options by name", async () => {
    const good = { source: twice, args: [ints(1)], global: 1 };
    const refusals: readonly (readonly [object, Error])[] = [
      [{ args: [], global: 1 }, wrongValue("options")],
      [{ ...good, build: () => 7 }, wrongValue("options")],
      [{ ...good, source: 7 }, wrongType("options.source")],
      [{ ...good, args: 7 }, wrongType("options.args")],
      [{ ...good, args: () => 7 }, wrongType()],
      [{ ...good, args: [1] }, wrongType()],
      [{ ...good, global: undefined }, wrongType("options.global")],
      [{ ...good, global: [1, 0] }, outOfRange("options.global[1]")],
      [{ ...good, local: 7 }, wrongType("options.local")],
      [{ ...good, local: [[0]] }, outOfRange("options.local[0][0]")],
      [{ ...good, parameters: { N: [] } }, wrongType("options.parameters.N")],
      [{ ...good, parameters: { N: [1, 1] } }, wrongValue("options.parameters.N")],
      [{ ...good, parameters: { "N M": [1] } }, wrongType()],
      [{ ...good, parameters: { N: [1] }, when: () => false }, wrongValue("options.when")],
      [{ ...good, parameters: { N: [1] }, when: () => 1 }, wrongType()],
      [{ ...good, kernel: "thrice" }, outOfRange("options.kernel")],
      [{ ...good, limit: 0 }, outOfRange("options.limit")],
      [{ ...good, seconds: 0 }, outOfRange("options.seconds")],
      [{ ...good, verify: 7 }, wrongType("options.verify")],
      [{ ...good, signal: 7 }, wrongType("signal")],
      [{ ...good, onProgress: 7 }, wrongType("options.onProgress")],
    ];
    for (const [options, message] of refusals) {
      await expect(tune(queue, { ...short, cache: false, ...options } as never)).rejects.toThrow(message);
    }
    await expect(tune(7 as never, good)).rejects.toThrow(wrongType("where"));
  });
});

describe("an aborted tuning", () => {
  test("rejects with the reason at any time, without leaking handles", { tags: "ci" }, async () => {
    const x = floats(...Array.from({ length: 4096 }, () => 1));
    const source = "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }";
    const options = { ...short, source, args: [x], global: 4096, cache: false, verify: true };
    await tune(queue, options);
    await collectGarbage();
    const counts = handleCounts();
    // Counts decrease if garbage of other tests is collected meanwhile.
    const expectNoLeaks = (): void => {
      for (const [kind, count] of Object.entries(handleCounts())) {
        expect(count, kind).toBeLessThanOrEqual(counts[kind] ?? 0);
      }
    };
    const reason = new Error("never mind");
    await expect(tune(queue, { ...options, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expectNoLeaks();
    for (const phase of ["build", "measure"]) {
      const stop = new AbortController();
      const onProgress = (progress: TuningProgress): void => {
        if (progress.phase === phase) stop.abort(reason);
      };
      await expect(tune(queue, { ...options, onProgress, signal: stop.signal })).rejects.toBe(reason);
      expectNoLeaks();
    }
    // An aborted tuning does not block the tunings that wait behind it.
    const stop = new AbortController();
    const first = tune(queue, options);
    const second = tune(queue, { ...options, signal: stop.signal });
    const third = tune(queue, options);
    stop.abort(reason);
    await expect(second).rejects.toBe(reason);
    await expect(Promise.all([first, third])).resolves.toHaveLength(2);
    expectNoLeaks();
    expect((await read(x)).every((value) => value === 1)).toBe(true);
  });
});

describe("a tuning result", () => {
  const script = `
    import { CommandQueue, Context, DeviceBuffer } from "@cl/core";
    import { tune } from "@cl/launcher";
    const context = Context.create();
    const x = DeviceBuffer.empty(context, Int32Array, 128);
    const { best, source } = await tune(context, { source: ${JSON.stringify(twice)}, args: [x], global: 128, seconds: 0.02 });
    console.log(JSON.stringify({ best, source }));`;

  test("is cached for other processes", { tags: "ci" }, async () => {
    const first = (await resultOfModule(script)) as { source: string; best: unknown };
    expect(first.source).toBe("measured");
    const second = await resultOfModule(script);
    expect(second).toEqual({ ...first, source: "cache" });
    const off = (await resultOfModule(script, { CL_NO_CACHE: "1" })) as { source: string };
    expect(off.source).toBe("measured");
    // The same tuning in this process uses the cache, too.
    const x = DeviceBuffer.empty(context, Int32Array, 128);
    const options = { ...short, source: twice, args: [x], global: 128 };
    expect((await tune(queue, options)).source).toBe("cache");
    expect((await tune(queue, { ...options, cache: false })).source).toBe("measured");
    expect((await tune(queue, { ...options, verify: true })).source).toBe("measured");
    expect((await tune(queue, { ...options, verify: true })).source).toBe("cache");
  });

  test("is used only for the same kernel, sizes and options", { tags: "ci" }, async () => {
    const [x, y] = [upTo(64), upTo(128)];
    const options = { ...short, source: twice, args: [x], global: 64 };
    expect((await tune(queue, options)).source).toBe("measured");
    expect((await tune(queue, options)).source).toBe("cache");
    const { source: _, ...rest } = options;
    const others: readonly object[] = [
      { ...options, source: `${twice} ` },
      { ...options, args: [y] },
      { ...options, global: 32 },
      { ...options, options: "-cl-mad-enable" },
      { ...options, local: [32, 64] },
      { ...options, parameters: { N: [1, 2] } },
      { ...options, offset: 0 },
      { ...options, limit: 2 },
      { ...rest, program: new Program(context, twice).buildSync() },
      { ...rest, build: () => new Program(context, twice).build(), key: "twice" },
    ];
    for (const other of sample(others, 4)) {
      for (const source of ["measured", "cache"]) {
        expect((await tune(queue, other as never)).source, JSON.stringify(other)).toBe(source);
      }
    }
  });

  test("is measured again if its file is damaged or invalid", { tags: "ci" }, async () => {
    const options = { ...short, source: twice, args: [upTo(64)], global: 64 };
    await tune(queue, options);
    const [file] = await results();
    const good = await readFile(file as string, "utf8");
    const [, body] = good.split("\n") as [string, string];
    const signed = (text: string): string => `${createHash("sha256").update(text).digest("hex")}\n${text}\n`;
    const changed = (change: object): string => {
      const content = JSON.parse(body) as { result: object };
      return signed(JSON.stringify({ ...content, result: { ...content.result, ...change } }));
    };
    const best = (local: unknown, parameters: unknown = {}): string => changed({ best: { local, parameters } });
    const damaged = [
      "",
      good.slice(0, -1),
      good.replace('"possible"', '"Possible"'),
      signed("{}"),
      signed("null"),
      signed(body.replace("tuning 1", "tuning 0")),
      best([2 ** 40]),
      best([3]),
      best([64, 1]),
      best([0.5]),
      best("auto"),
      best(null, { N: 1 }),
      changed({ candidates: undefined }),
      changed({ candidates: [{ config: { local: null, parameters: {} }, rounds: "many" }] }),
      changed({ verified: "yes" }),
    ];
    for (const content of sample(damaged, 5)) {
      await writeFile(file as string, content);
      expect((await tune(queue, options)).source, content).toBe("measured");
      expect((await tune(queue, options)).source).toBe("cache");
    }
    await writeFile(file as string, best([32]));
    expect((await tune(queue, options)).best.local).toEqual([32]);
  });
});
