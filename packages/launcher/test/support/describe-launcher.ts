/** Tests that every launcher must pass, on all kinds of queues. */
import { CommandEvent, CommandQueue, Context, DisposedError, OpenCLError, UserEvent } from "@cl/core";
import { type Launcher, ListLauncher, type ParameterValues } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { roundTrip } from "@cl/testing/round-trip";
import { context, needsUserEvents, outOfOrder, profiled, queue } from "./device.js";

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

type Launch = (queue?: CommandQueue, values?: ParameterValues, options?: object) => unknown;

const subjects: (readonly [name: string, make: () => Subject | string])[] = [];

/** Adds a launcher to test; the factory creates one for each test, or returns what the device lacks. */
export function describeLauncher(name: string, make: () => Subject | string): void {
  subjects.push([name, make]);
}

/** Defines the tests of all launchers on a queue. */
export function testLaunchers(target: CommandQueue): void {
  describe.each(subjects)("%s", (_, make) => {
    const subject = (run: { skip(reason?: string): never }): Subject & { launch: Launch; enqueue: Launch } => {
      const made = make();
      if (typeof made === "string") return run.skip(made);
      if (made.onHost === true) needsUserEvents(run);
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
      needsUserEvents(run);
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
      needsUserEvents(run);
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
      for (const [n, one] of [target, profiled, outOfOrder, queue].entries()) {
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
      for (const start of [launch, enqueue]) {
        expect(() => start(gone, values)).toThrow(DisposedError);
        if (anywhere !== true) expect(() => start(foreign, values)).toThrow(TypeError);
      }
      await foreign.finish();
      expect(await look()).toEqual(after(0));
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(1));
    });

    test("rejects invalid arguments before launching, and remains usable", async (run) => {
      const { launcher, launch, enqueue, values, look, after } = subject(run);
      const wrong: [() => unknown, code: string][] = [
        [() => launch(undefined, values), "ERR_INVALID_STATE"],
        [() => launch(7 as never, values), "ERR_INVALID_ARG_TYPE"],
        [() => launch(target, { ...values, unheard: 1 }), "ERR_INVALID_ARG_VALUE"],
        [() => launch(target, 7 as never), "ERR_INVALID_ARG_TYPE"],
        [() => enqueue(target, values, { waitFor: [7] }), "ERR_INVALID_ARG_TYPE"],
        [() => enqueue(target, values, 7 as never), "ERR_INVALID_ARG_TYPE"],
      ];
      for (const missing of launcher.parameters.keys()) {
        wrong.push([() => launch(target, { ...values, [missing]: undefined }), "ERR_INVALID_ARG_VALUE"]);
      }
      for (const [call, code] of wrong) expect(call).toThrow(expect.objectContaining({ name: "TypeError", code }));
      await target.finish();
      expect(await look()).toEqual(after(0));
      await ended(enqueue(target, values));
      expect(await look()).toEqual(after(1));
    });

    test("can be launched hundreds of times, also while a wait is aborted", async (run) => {
      const { launch, values, look, after } = subject(run);
      const stop = new AbortController();
      const reason = new Error("enough");
      // PoCL's barriers on out-of-order queues and NVIDIA's commands after user events slow down with the number of
      // pending commands.
      const launches = 100;
      for (let n = 0; n < launches; n++) launch(target, values);
      const finished = target.finish({ signal: stop.signal });
      stop.abort(reason);
      await expect(finished).rejects.toThrow(reason);
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
      for (const start of [launch, enqueue]) expect(() => start(target, values)).toThrow(DisposedError);
      await ended(event);
      expect(await look()).toEqual(after(1));
    });
  });
}
