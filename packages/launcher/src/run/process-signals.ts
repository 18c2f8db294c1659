/** What a run does about signals of the system, where it was asked to. */
import { checkObject, typeError } from "@cl/base";

/** Which signals a run listens to while it runs. */
export interface RunSignals {
  /** Stop after the steps that were launched; the second one does what it would do without the run. */
  readonly stop?: readonly NodeJS.Signals[];
  /** Pause, and go on at the next one. */
  readonly pause?: readonly NodeJS.Signals[];
  /** Stop the process, with nothing on the queue, until it is continued: what Ctrl+Z sends. */
  readonly suspend?: readonly NodeJS.Signals[];
}

/** What the signals are to do. */
export interface SignalActions {
  readonly stop: (signal: NodeJS.Signals) => void;
  readonly pause: () => void;
  readonly suspend: () => void;
}

const usual: RunSignals = { stop: ["SIGINT", "SIGTERM"], pause: ["SIGUSR2"], suspend: ["SIGTSTP"] };
const kinds = ["stop", "pause", "suspend"] as const;

/** The signals that the options ask for. */
export function checkSignals(signals: boolean | RunSignals | undefined): RunSignals {
  if (signals === undefined || signals === false) return {};
  if (signals === true) return process.platform === "win32" ? { stop: ["SIGINT"] } : usual;
  const given = checkObject(signals, "options.signals");
  const unknown = Object.keys(given).find((key) => !(kinds as readonly string[]).includes(key));
  if (unknown !== undefined) throw typeError("options.signals", `made of ${kinds.join(", ")}`, { [unknown]: "…" });
  for (const kind of kinds) {
    const list: unknown = given[kind] ?? [];
    if (!Array.isArray(list) || !list.every((name) => typeof name === "string" && /^SIG[A-Z0-9]+$/.test(name))) {
      throw typeError(`options.signals.${kind}`, 'an array of names like "SIGINT"', list);
    }
  }
  return given;
}

/** Listens, until the function that it returns is called. */
export function listen({ stop = [], pause = [], suspend = [] }: RunSignals, actions: SignalActions): () => void {
  const listeners: [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [];
  const on = (names: readonly NodeJS.Signals[], listener: (signal: NodeJS.Signals) => void): void => {
    for (const name of names) {
      process.on(name, listener);
      listeners.push([name, listener]);
    }
  };
  const stopping = (signal: NodeJS.Signals): void => {
    // The next one finds nobody here: whoever asks twice means it.
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
    // The system has no such signal.
    end();
    throw error;
  }
  return end;
}

/** Stops this process until somebody continues it; the call returns then. */
export function suspendProcess(): void {
  process.kill(process.pid, "SIGSTOP");
}
