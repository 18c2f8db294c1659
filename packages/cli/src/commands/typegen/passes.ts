/** One pass over all sources, and passes for as long as they are watched. */
import { dirname, resolve } from "node:path";

import { findSources, shown, type SourceFile } from "./find-sources.js";
import { generateModule, type GenerateOptions } from "./generate.js";
import { FolderWatch } from "./watch.js";
import { isCurrent, writeModule } from "./write-module.js";

/** What passes go over, and how. */
export interface TypegenJob extends GenerateOptions {
  readonly operands: readonly string[];
  readonly out: string | undefined;
  /** True writes nothing, and only looks. */
  readonly check: boolean;
}

/** Who hears of what a pass does. */
export interface TypegenListener {
  /** A module was written or, when only looking, is not what it should be. */
  changed(module: string): void;
  /** Something about a file that is no mistake. */
  note(sentence: string): void;
  /** Why a source has no module. */
  failed(sentence: string): void;
}

/** What a pass came to. */
export interface PassResult {
  readonly modules: number;
  readonly changed: number;
  readonly failed: number;
}

interface Pass extends PassResult {
  readonly files: readonly SourceFile[];
  /** Where something that happens may matter. */
  readonly folders: readonly string[];
  readonly included: ReadonlySet<string>;
}

/** Makes all modules once. A mistake in one source does not keep the others from theirs. */
export async function pass(job: TypegenJob, listener: TypegenListener): Promise<PassResult> {
  return onePass(job, listener, false);
}

/** Makes the modules whenever something changes, until the signal comes. */
export async function watchSources(job: TypegenJob, listener: TypegenListener, signal: AbortSignal): Promise<void> {
  let known: readonly SourceFile[] = [];
  // Those of before as well: a source whose include went away waits for it.
  const includes = new Set(job.inline ? job.folders.map((folder) => resolve(folder)) : []);
  const said = new Set<string>();
  let wake: (() => void) | undefined;
  let pending = true;
  let watches = false;
  const watch = new FolderWatch(() => {
    pending = true;
    wake?.();
  }, 50);
  const stop = (): void => wake?.();
  signal.addEventListener("abort", stop);
  try {
    while (!signal.aborted) {
      if (!pending) {
        await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
        continue;
      }
      pending = false;
      const now = new Set<string>();
      // What is wrong is said when it is new, not at every change of something else.
      const once = (say: (sentence: string) => void) => (sentence: string) => {
        if (!said.has(sentence)) say(sentence);
        now.add(sentence);
      };
      const quiet = { ...listener, note: once(listener.note), failed: once(listener.failed) };
      try {
        const { files, folders, included } = await onePass(job, quiet, true);
        for (const folder of included) includes.add(folder);
        for (const { source, module } of known) {
          if (files.some((file) => file.source === source)) continue;
          listener.note(`${shown(source)} is gone; ${shown(module)} is left, for it may be needed`);
        }
        known = files;
        watch.set([...folders, ...includes]);
        watches = true;
      } catch (error) {
        // Where nothing is watched yet, nothing would ever call back.
        if (!watches) throw error;
        quiet.failed((error as Error).message);
      }
      said.clear();
      for (const sentence of now) said.add(sentence);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    watch.close();
  }
}

async function onePass(job: TypegenJob, listener: TypegenListener, mayBeEmpty: boolean): Promise<Pass> {
  const { files, folders } = await findSources(job.operands, job.out, mayBeEmpty);
  const included = new Set<string>();
  let [changed, failed] = [0, 0];
  for (const { source, module } of files) {
    try {
      const { text, types, files: parts, latin1 } = await generateModule(source, job);
      for (const file of parts) included.add(dirname(file));
      for (const file of latin1) listener.note(`${shown(file)} is not UTF-8: read as Latin-1`);
      if (types === "none") {
        listener.note(
          `${shown(source)} is too long or too strange for types: its module takes any kernel and arguments`,
        );
      }
      const differs = job.check ? !(await isCurrent(module, text)) : await writeModule(module, text);
      if (!differs) continue;
      changed++;
      listener.changed(shown(module));
    } catch (error) {
      failed++;
      listener.failed((error as Error).message);
    }
  }
  return { modules: files.length, changed, failed, files, folders, included };
}
