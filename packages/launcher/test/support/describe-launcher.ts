/** The tests that every launcher has to pass, on queues of both kinds. */
import { CommandEvent, CommandQueue, Context, DisposedError, OpenCLError, UserEvent } from "@cl/core";
import { type Launcher, ListLauncher, type ParameterValues } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context, outOfOrder, profiled, queue } from "./device.js";

/** A launcher, and how to see what it has done. */
export interface Subject {
  readonly launcher: Launcher;
  /** The parameters' values. */
  readonly values?: ParameterValues;
  /** What shows its effect; it must not wait for what is on the queues. */
  readonly look: () => unknown;
  /** What that is after so many launches. */
  readonly after: (launches: number) => unknown;
  /** True if it needs events that the program ends. */
  readonly onHost?: boolean;
  /** True if it touches no memory of the context, so that queues of others do for it. */
  readonly anywhere?: boolean;
}

/** Of another context. Made once: a GPU driver takes a third of a second for a context, seconds under load. */
const foreign = new CommandQueue(new Context(context.devices));
const hasUserEvents = !context.devices.some(({ name }) => name.startsWith("basic"));

type Launch = (queue?: CommandQueue, values?: ParameterValues, options?: object) => unknown;

/** Describes the tests; the factory makes a new launcher for each, or says what the device lacks for it. */
export function describeLauncher(name: string, make: () => Subject | string): void {
  describe.each([
    ["in order", queue],
    ["out of order", outOfOrder],
    ["with profiling", profiled],
  ])(`${name}, %s,`, (_, target) => {
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

    test("launches without an event, and again with one that completes when all is done", async (run) => {
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

    test("does nothing before what it waits for has ended", async (run) => {
      needs(run, hasUserEvents, "the device has no user events");
      const { enqueue, values, look, after } = subject(run);
      const gates = [new UserEvent(context), new UserEvent(context)] as const;
      const event = enqueue(target, values, { waitFor: gates });
      target.flush();
      gates[0].complete();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await look()).toEqual(after(0));
      expect((event as CommandEvent).status).toBeGreaterThan(0);
      gates[1].complete();
      await ended(event);
      expect(await look()).toEqual(after(1));
    });

    test("does nothing when what it waits for fails, and its event fails, too", async (run) => {
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

    test("is launched between launches on other queues, and is the same on each", async (run) => {
      const { launch, enqueue, values, look, after } = subject(run);
      for (const [n, one] of [target, queue, outOfOrder, target].entries()) {
        launch(one, values);
        await one.finish();
        expect(await look()).toEqual(after(2 * n + 1));
        await ended(enqueue(one, values));
        expect(await look()).toEqual(after(2 * n + 2));
      }
    });

    test("refuses a queue that is released, or of another context", async (run) => {
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

    test("refuses what it cannot use before it does anything, and works afterwards", async (run) => {
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

    test("is launched hundreds of times, and no wait that is given up disturbs that", async (run) => {
      const { launch, values, look, after, onHost } = subject(run);
      const stop = new AbortController();
      // PoCL's barriers on out-of-order queues take the longer the more commands are waiting, and so do NVIDIA's commands
      // behind user events: 1,000 host functions take it 0.4 s to accept, 500 take 9 ms.
      const isSlow = target === outOfOrder || (onHost === true && !target.device.hostUnifiedMemory);
      const launches = isSlow ? 100 : 1000;
      for (let n = 0; n < launches; n++) launch(target, values);
      const finished = target.finish({ signal: stop.signal });
      stop.abort(new Error("enough"));
      await expect(finished).rejects.toThrow(/^enough$/);
      await target.finish();
      // Out of order, launches of one kernel may overlap.
      if (target !== outOfOrder) expect(await look()).toEqual(after(launches));
    });

    test("is a member of lists and of lists in lists, more than once", async (run) => {
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

    test("is released at any time: what is on the queue is done, and what is not is refused", async (run) => {
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
