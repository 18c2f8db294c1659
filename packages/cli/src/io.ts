/** A command's input and output, which tests can replace. */

/** A text output: a terminal, a pipe, a file, or memory. */
export interface Output {
  /** Writes text unchanged. */
  write(text: string): void;
  /** Whether to write escape sequences for colors. */
  readonly color: boolean;
  /** Whether this is a terminal, on which a line can be overwritten. */
  readonly live: boolean;
  /** Columns per line; 80 if unknown. */
  readonly width: number;
}

/** Environment of a command. */
export interface CommandIo {
  /** Receives the requested data only. */
  readonly out: Output;
  /** Receives messages: progress, errors, notes. */
  readonly err: Output;
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends commands that otherwise run as long as the process. */
  readonly signal?: AbortSignal;
}

/** Returns the input and output of this process. */
export function processIo(): CommandIo {
  return { out: outputOf(process.stdout), err: outputOf(process.stderr), env: process.env };
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // The reader may close the pipe early, as in `clkit info --all | head`: exit silently.
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    // Any other failure, such as a full disk, is an error, so that truncated output is not mistaken for complete output.
    if (stream !== process.stderr) process.stderr.write(`clkit: cannot write to stdout: ${error.message}\n`);
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

/** Returns whether to use colors: on terminals, unless `FORCE_COLOR` or `NO_COLOR` overrides it, in this order. */
function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (env["NO_COLOR"]) return false;
  return isTerminal && env["TERM"] !== "dumb";
}
