/** Where a command writes and what surrounds it, so that a test can be all of that. */

/** A place for text: a terminal, a pipe, a file, or a test's memory. */
export interface Output {
  /** Writes text as it is. */
  write(text: string): void;
  /** Whether escape sequences for colors are wanted. */
  readonly color: boolean;
  /** Whether it is a terminal, where a line can be written over. */
  readonly live: boolean;
  /** Columns of a line; 80 where there is no telling. */
  readonly width: number;
}

/** What a command gets of the world. */
export interface CommandIo {
  /** For data: what was asked for, and nothing else. */
  readonly out: Output;
  /** For words: progress, errors, what the user should know. */
  readonly err: Output;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends what would otherwise go on for as long as the process. */
  readonly signal?: AbortSignal;
}

/** The process's own. */
export function processIo(): CommandIo {
  return { out: outputOf(process.stdout), err: outputOf(process.stderr), env: process.env };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // Whoever reads may stop reading, as `clkit info --all | head` does: then nothing more is wanted of us.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    // A full disk, say: half of the data must not look like all of it, nor end in a stack trace.
    if (stream !== process.stderr) process.stderr.write(`clkit: stdout cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  return {
    write: (text) => void stream.write(text),
    color: wantsColor(process.env, stream.isTTY),
    live: stream.isTTY,
    get width() {
      return stream.columns ?? 80;
    },
  };
}

/** Colors are for terminals, unless the environment says otherwise: `FORCE_COLOR` is heard before `NO_COLOR`. */
function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
