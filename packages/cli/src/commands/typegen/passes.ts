/** Generates all modules once, or whenever a source changes. */
import { dirname, resolve } from "node:path";

import { findSources, displayPath, type SourceFile } from "./find-sources.js";
import { generateModule, type GenerateOptions } from "./generate.js";
import { FolderWatch } from "./watch.js";
import { isCurrent, writeModule } from "./write-module.js";

/** Sources and options of a pass. */
export interface TypegenJob extends GenerateOptions {
  readonly operands: readonly string[];
  readonly out: string | undefined;
  /** Whether to only check, without writing. */
  readonly check: boolean;
}

/** Callbacks of a pass. */
export interface TypegenListener {
  /** A module was written or, when checking, is missing or stale. */
  changed(module: string): void;
  /** A note about a file. */
  note(message: string): void;
  /** A source failed. */
  failed(message: string): void;
}

export interface PassResult {
  readonly modules: number;
  readonly changed: number;
  readonly failed: number;
}

interface Pass extends PassResult {
  readonly files: readonly SourceFile[];
  /** Folders to watch. */
  readonly folders: readonly string[];
  readonly included: ReadonlySet<string>;
}

/** Generates all modules once. Errors in one source do not affect the others. */
export async function generateOnce(job: TypegenJob, listener: TypegenListener): Promise<PassResult> {
  return runPass(job, listener, false);
}

/** Generates the modules whenever a source changes, until `signal` is aborted. */
export async function watchSources(job: TypegenJob, listener: TypegenListener, signal: AbortSignal): Promise<void> {
  let known: readonly SourceFile[] = [];
  // Keeps folders of earlier passes, so that a source whose include was deleted is retried when it returns.
  const includes = new Set(job.inline ? job.folders.map((folder) => resolve(folder)) : []);
  const previousMessages = new Set<string>();
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
      const messages = new Set<string>();
      // Report messages only when they are new, not on every change.
      const whenNew = (report: (message: string) => void) => (message: string) => {
        if (!previousMessages.has(message)) report(message);
        messages.add(message);
      };
      const quiet = { ...listener, note: whenNew(listener.note), failed: whenNew(listener.failed) };
      try {
        const { files, folders, included } = await runPass(job, quiet, true);
        for (const folder of included) includes.add(folder);
        for (const { source, module } of known) {
          if (files.some((file) => file.source === source)) continue;
          listener.note(`${displayPath(source)} was deleted; its module ${displayPath(module)} is kept`);
        }
        known = files;
        watch.set([...folders, ...includes]);
        watches = true;
      } catch (error) {
        // If nothing is watched yet, no change would ever wake the loop.
        if (!watches) throw error;
        quiet.failed((error as Error).message);
      }
      previousMessages.clear();
      for (const message of messages) previousMessages.add(message);
    }
  } finally {
    signal.removeEventListener("abort", stop);
    watch.close();
  }
}

async function runPass(job: TypegenJob, listener: TypegenListener, mayBeEmpty: boolean): Promise<Pass> {
  const { files, folders } = await findSources(job.operands, job.out, mayBeEmpty);
  const included = new Set<string>();
  let [changed, failed] = [0, 0];
  for (const { source, module } of files) {
    try {
      const { text, types, files: includedFiles, latin1 } = await generateModule(source, job);
      for (const file of includedFiles) included.add(dirname(file));
      for (const file of latin1) listener.note(`${displayPath(file)} is not UTF-8 and was read as Latin-1`);
      if (types === "none") {
        listener.note(
          `${displayPath(source)} is too long or too complex to derive types; its module accepts any kernel and arguments`,
        );
      }
      const differs = job.check ? !(await isCurrent(module, text)) : await writeModule(module, text);
      if (!differs) continue;
      changed++;
      listener.changed(displayPath(module));
    } catch (error) {
      failed++;
      listener.failed((error as Error).message);
    }
  }
  return { modules: files.length, changed, failed, files, folders, included };
}
