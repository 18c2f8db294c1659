/** What a probe is asked, and what it says while it works: a line of JSON each, so that a crash leaves what came before. */

/** What a probe does. */
export interface ProbeTask {
  /** A driver's library, to be opened by itself first. */
  readonly library?: string;
  /** Whether to look at the cache folder. */
  readonly cache?: boolean;
  /** Whether to list platforms and devices. */
  readonly platforms?: boolean;
  /** Whether to run a kernel on each device. */
  readonly kernels?: boolean;
}

/** What it says. */
export type ProbeMessage =
  | {
      /** What it is about to do: if this is the last that came, this is what ended it. */
      readonly kind: "stage";
      readonly stage: string;
    }
  | {
      readonly kind: "addon";
      /** The loaded file; undefined where it cannot be told. */
      readonly file?: string | undefined;
      readonly error?: string;
    }
  | {
      readonly kind: "loader";
      readonly file?: string | undefined;
      readonly error?: string;
    }
  | { readonly kind: "library"; readonly error?: string }
  | {
      readonly kind: "cache";
      readonly directory?: string | undefined;
      /** Why there is none. */
      readonly reason?: string | undefined;
      readonly writable: boolean;
    }
  | { readonly kind: "platform"; readonly name: string; readonly version: string; readonly devices: number }
  | {
      readonly kind: "device";
      readonly selector: string;
      readonly name: string;
      /** What went wrong, if something did. */
      readonly error?: string;
      /** Why no kernel was tried. */
      readonly untried?: string;
      readonly milliseconds?: number;
    }
  | { readonly kind: "done" };
