/** Calls back when something in some folders may have changed. */
import { type FSWatcher, statSync, watch } from "node:fs";

/** Watches folders, which may be others after each change. */
export class FolderWatch {
  /** With the number of the folder on its disk: one that goes and comes back under its name is another. */
  readonly #watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>();
  readonly #changed: () => void;
  readonly #delay: number;
  #timer: NodeJS.Timeout | undefined;

  /** `changed` is called when nothing has happened for `delay` milliseconds since the last change. */
  constructor(changed: () => void, delay: number) {
    this.#changed = changed;
    this.#delay = delay;
  }

  /**
   * Watches these folders and no others. New ones count as changed, since what happened in them before cannot have been
   * heard.
   */
  set(folders: Iterable<string>): void {
    const wanted = new Set(folders);
    for (const [folder, { watcher, inode }] of this.#watchers) {
      if (wanted.has(folder) && statSync(folder, { throwIfNoEntry: false })?.ino === inode) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue;
      try {
        const inode = statSync(folder).ino;
        const watcher = watch(folder, { persistent: true }, (_, name) => this.#heard(name));
        // A folder that goes away ends its watcher; whether it comes back is seen in the one around it.
        watcher.on("error", () => this.#forget(folder));
        this.#watchers.set(folder, { watcher, inode });
        this.#heard(null);
      } catch (error) {
        // It went away between being found and being watched: the folder around it tells when it comes back.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
  }

  /** Ends it. */
  close(): void {
    this.set([]);
    clearTimeout(this.#timer);
  }

  #heard(name: string | null): void {
    // Our own files, on their way to their names.
    if (name !== null && /^\..*\.tmp$/.test(name)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#changed, this.#delay);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
    this.#heard(null);
  }
}
