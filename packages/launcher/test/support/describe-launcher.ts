/** Tests that every launcher must pass, on all kinds of queues. */
import { CommandEvent, CommandQueue, Context, DisposedError, OpenCLError, UserEvent } from "@cl/core";
import { type Launcher, ListLauncher, type ParameterValues } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { context, outOfOrder, profiled, queue } from "./device.js";

/** A launcher, and how to observe its effect. */
export interface Subject {
  readonly launcher: Launcher;
  /** Values of the parameters. */
  readonly values?: ParameterValues;
  /** Returns the observed effect, without waiting for the queues. */
  readonly look: () => unknown;
  /** Returns the expected effect after a number of launches. */
  readonly after: (launches: number) => unknown;
  /** True if it needs user events. */
  readonly onHost?: boolean;
  /** True if it uses no memory of the context and therefore works on queues of other contexts. */
  readonly anywhere?: boolean;
}

/** A queue of another context. Created once: a GPU driver takes 0.3 s for a context, seconds under load. */
const foreign = new CommandQueue(new Context(context.devices));
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));

type Launch = (queue?: CommandQueue, values?: ParameterValues, options?: object) => unknown;

/** Defines the tests; the factory creates a launcher for each, or returns what the device lacks. */
export function describeLauncher(name: string, make: () => Subject | string): void {
  describe.each([
    ["an in-order queue", queue],
    ["an out-of-order queue", outOfOrder],
    ["a profiling queue", profiled],
  ])(`${name} on %s`, (_, target) => {
    const subject = (run: { skip(reason?: string): never }): Subject & { launch: Launch; enqueue: Launch } => {
      const made = make();
      if (typeof made === "string") return run.skip(made);
      needs(run, made.onHost !== true || hasUserEvents, "the device has no user events");
      const { launcher } = made;
      return { ...made, launch: launcher.launch.bind(launcher), enqueue: launcher.enqueue.bind(launcher) };
    };
    const ended = (event: unknown): Promise<void> => {
      expect(event).toBeInstanceOf(CommandEvent);
      return (event as CommandEvent).wait();
    };

    test("launches without an event, and with one that completes after all commands", async (run) => {
      const { launch, enqueue, values, look, after } = subject(run);
      expect(await look()).toEqual(after(0));
      expect(launch(target, values)).toBeUndefined();
      await target.finish();
      expect(await look()).toEqual(after(1));
      for (let n = 2; n <= 4; n++) {
        await ended(enqueue(target, values));
        expect(await look()).toEqual(after(n));
      }
    });

    test("runs only after the events in waitFor have completed", async (run) => {
      needs(run, hasUserEvents, "the device has no user events");
      const { enqueue, values, look, after } = subject(run);
      const gates = [new UserEvent(context), new UserEvent(context)] as const;
      const event = enqueue(target, values, { waitFor: gates });
      target.flush();
      gates[0].complete();
      await roundTrip(context);
      expect(await look()).toEqual(after(0));
      expect((event as CommandEvent).status).toBeGreaterThan(0);
      gates[1].complete();
      await ended(event);
      expect(await look()).toEqual(after(1));
    });

    test("does not run if an event in waitFor fails, and its own event fails", async (run) => {
      needs(run, hasUserEvents, "the device has no user events");
      const { enqueue, values, look, after } = subject(run);
      const gate = new UserEvent(context);
      const event = enqueue(target, values, { waitFor: gate }) as CommandEvent;
      const end = event.wait().catch((error: unknown) => error);
      gate.fail(-5);
      expect(await end).toBeInstanceOf(OpenCLError);
      await target.finish().catch(() => undefined);
      expect(await look()).toEqual(after(0));
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(1));
    });

    test("works alternately on several queues", async (run) => {
      const { launch, enqueue, values, look, after } = subject(run);
      for (const [n, one] of [target, queue, outOfOrder, target].entries()) {
        launch(one, values);
        await one.finish();
        expect(await look()).toEqual(after(2 * n + 1));
        await ended(enqueue(one, values));
        expect(await look()).toEqual(after(2 * n + 2));
      }
    });

    test("rejects a released queue and a queue from another context", async (run) => {
      const { launch, enqueue, values, look, after, anywhere } = subject(run);
      const gone = new CommandQueue(context);
      gone.release();
      for (const wrong of anywhere === true ? [gone] : [gone, foreign]) {
        expect(() => launch(wrong, values)).toThrow(/released|context/i);
        expect(() => enqueue(wrong, values)).toThrow(/released|context/i);
      }
      await foreign.finish();
      expect(await look()).toEqual(after(0));
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(1));
    });

    test("rejects invalid arguments before launching, and remains usable", async (run) => {
      const { launcher, launch, enqueue, values, look, after } = subject(run);
      expect(() => launch(undefined, values)).toThrow(/ requires a queue; pass one, or set options\.queue$/);
      expect(() => launch(7 as never, values)).toThrow(/^queue must be a CommandQueue, received number 7$/);
      expect(() => launch(target, { ...values, unheard: 1 })).toThrow(/; available parameters: /);
      expect(() => launch(target, 7 as never)).toThrow(/^parameters must be an object/);
      expect(() => enqueue(target, values, { waitFor: [7] })).toThrow(/^waitFor\[0\] must be a CommandEvent/);
      expect(() => enqueue(target, values, 7 as never)).toThrow(/^options must be an object, received number 7$/);
      for (const missing of launcher.parameters.keys()) {
        expect(() => launch(target, { ...values, [missing]: undefined })).toThrow(
          new RegExp(` requires a value for the parameter "${missing}" \\(`),
        );
      }
      await target.finish();
      expect(await look()).toEqual(after(0));
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(1));
    });

    test("can be launched hundreds of times, also while a wait is aborted", async (run) => {
      const { launch, values, look, after, onHost } = subject(run);
      const stop = new AbortController();
      // PoCL's barriers on out-of-order queues and NVIDIA's commands after user events slow down with the number of
      // pending commands: NVIDIA accepts 1,000 host functions in 0.4 s, and 500 in 9 ms.
      const isSlow = target === outOfOrder || (onHost === true && !target.device.hostUnifiedMemory);
      const launches = isSlow ? 100 : 1000;
      for (let n = 0; n < launches; n++) launch(target, values);
      const finished = target.finish({ signal: stop.signal });
      stop.abort(new Error("enough"));
      await expect(finished).rejects.toThrow(/^enough$/);
      await target.finish();
      // On an out-of-order queue, launches of one kernel can overlap.
      if (target !== outOfOrder) expect(await look()).toEqual(after(launches));
    });

    test("can be a repeated member of lists and nested lists", async (run) => {
      const { launcher, values, look, after } = subject(run);
      const inner = new ListLauncher("inner").push(launcher, launcher);
      const outer = new ListLauncher("outer").push(inner, launcher, new ListLauncher("empty"));
      expect([...outer.parameters.keys()]).toEqual([...launcher.parameters.keys()]);
      const enqueue: Launch = outer.enqueue.bind(outer);
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(3));
      outer.release();
      inner.release();
      expect(launcher.released).toBe(false);
    });

    test("can be released at any time: pending launches complete, and new ones throw", async (run) => {
      const { launcher, launch, enqueue, values, look, after } = subject(run);
      const event = enqueue(target, values);
      launcher.release();
      launcher.release();
      expect(launcher.released).toBe(true);
      expect(() => launch(target, values)).toThrow(DisposedError);
      expect(() => enqueue(target, values)).toThrow(`${launcher.toString()} has been released`);
      await ended(event);
      expect(await look()).toEqual(after(1));
    });
  });
}
