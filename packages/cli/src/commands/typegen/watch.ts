/** Watches folders for changes. */
import { type FSWatcher, statSync, watch } from "node:fs";

/** Watches a set of folders, which can be replaced. */
export class FolderWatch {
  /** Watchers by folder. The inode detects a folder that was deleted and created again. */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>();
  readonly #changed: () => void;
  readonly #delay: number;
  #timer: NodeJS.Timeout | undefined;

  /** Calls `changed` once no change has happened for `delay` milliseconds. */
  constructor(changed: () => void, delay: number) {
    this.#changed = changed;
    this.#delay = delay;
  }

  /**
   * Watches exactly these folders. New ones count as changed, since earlier changes in them were not observed.
   */
  set(folders: Iterable<string>): void {
    const next = new Set(folders);
    for (const [folder, { watcher, inode }] of this.#watchers) {
      if (next.has(folder) && statSync(folder, { throwIfNoEntry: false })?.ino === inode) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of next) {
      if (this.#watchers.has(folder)) continue;
      try {
        const inode = statSync(folder).ino;
        const watcher = watch(folder, { persistent: true }, (_, name) => this.#onChange(name));
        // A deleted folder ends its watcher; its parent's watcher reports when it is created again.
        watcher.on("error", () => this.#unwatch(folder));
        this.#watchers.set(folder, { watcher, inode });
        this.#onChange(null);
      } catch (error) {
        // Deleted before it could be watched: its parent's watcher reports when it is created again.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  }

  /** Stops watching. */
  close(): void {
    this.set([]);
    clearTimeout(this.#timer);
  }

  #onChange(name: string | null): void {
    // Our own temporary files.
    if (name !== null && /^\..*\.tmp$/.test(name)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#changed, this.#delay);
  }

  #unwatch(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
    this.#onChange(null);
  }
}
