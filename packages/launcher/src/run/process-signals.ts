/** Handles process signals during a run. */
import { checkObject, typeError } from "@cl/base";

/** Signals that a run handles. */
export interface RunSignals {
  /** Stops after the launched steps. A second signal has its default effect. */
  readonly stop?: readonly NodeJS.Signals[];
  /** Pauses the run, or resumes it if paused. */
  readonly pause?: readonly NodeJS.Signals[];
  /** Waits for the queue to be idle and suspends the process, as Ctrl+Z does. */
  readonly suspend?: readonly NodeJS.Signals[];
}

/** Callbacks for the signals. */
export interface SignalActions {
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly pause: () => void;
  readonly suspend: () => void;
}

const defaultSignals: RunSignals = { stop: ["SIGINT", "SIGTERM"], pause: ["SIGUSR2"], suspend: ["SIGTSTP"] };
const kinds = ["stop", "pause", "suspend"] as const;

/** Checks the option and returns the signals to handle. */
export function checkSignals(signals: boolean | RunSignals | undefined): RunSignals {
  if (signals === undefined || signals === false) return {};
  if (signals === true) return process.platform === "win32" ? { stop: ["SIGINT"] } : defaultSignals;
  const checked = checkObject(signals, "options.signals");
  const unknown = Object.keys(checked).find((key) => !(kinds as readonly string[]).includes(key));
  if (unknown !== undefined) {
    throw typeError("options.signals", `an object with ${kinds.join(", ")}`, { [unknown]: "…" });
  }
  for (const kind of kinds) {
    const list: unknown = checked[kind] ?? [];
    if (!Array.isArray(list) || !list.every((name) => typeof name === "string" && /^SIG[A-Z0-9]+$/.test(name))) {
      throw typeError(`options.signals.${kind}`, 'an array of signal names such as "SIGINT"', list);
    }
  }
  return checked;
}

/** Adds listeners. Returns a function that removes them. */
export function listen({ stop = [], pause = [], suspend = [] }: RunSignals, actions: SignalActions): () => void {
  const listeners: [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [];
  const on = (names: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void => {
    for (const name of names) {
      process.on(name, listener);
      listeners.push([name, listener]);
    }
  };
  const stopping = (signal: NodeJS.Signals): void => {
    // Remove the listeners, so that a second signal has its default effect.
    for (const name of stop) process.off(name, stopping);
    actions.stop(signal);
  };
  const end = (): void => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  try {
    on(stop, stopping);
    on(pause, actions.pause);
    on(suspend, actions.suspend);
  } catch (error) {
    // The signal is not supported on this system.
    end();
    throw error;
  }
  return end;
}

/** Suspends this process. Returns when it is continued. */
export function suspendProcess(): void {
  process.kill(process.pid, "SIGSTOP");
}
