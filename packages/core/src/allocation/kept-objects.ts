/**
 * Objects that a WeakRef keeps alive: until the end of the current job, JavaScript engines keep the targets of WeakRefs that
 * the job created or dereferenced.
 */
import vm from "node:vm";

let checkpoint: (() => void) | undefined;

/**
 * Lets such objects be collected in the current job. V8 forgets them when it has run the microtasks of a queue. This one
 * belongs to a separate context and is empty, so that no other code runs.
 */
export function forgetKeptObjects(): void {
  checkpoint ??= makeCheckpoint();
  checkpoint();
}

function makeCheckpoint(): () => void {
  const script = new vm.Script("0");
  const context = vm.createContext({}, { microtaskMode: "afterEvaluate" });
  return () => {
    script.runInContext(context);
  };
}
