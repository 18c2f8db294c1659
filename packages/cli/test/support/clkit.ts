/** Runs clkit in this process with captured output. */
import { clkit, type CommandIo, type Output } from "@cl/cli";

/** Result of a call. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Settings of the outputs and the environment. */
export interface Surroundings extends Partial<Pick<Output, "color" | "live" | "width">> {
  readonly env?: CommandIo["env"];
  /** Aborts the command. */
  readonly signal?: AbortSignal;
  /** Called with each text when it is written. */
  readonly heard?: (name: "out" | "err", text: string) => void;
}

/** Calls clkit with arguments. */
export async function call(
  args: readonly string[],
  { env = process.env, signal, heard, ...settings }: Surroundings = {},
): Promise<Ended> {
  const written = { out: "", err: "" };
  const output = (name: keyof typeof written): Output => ({
    color: false,
    live: false,
    width: 80,
    ...settings,
    write: (text) => {
      written[name] += text;
      heard?.(name, text);
    },
  });
  const io = { out: output("out"), err: output("err"), env };
  const code = await clkit(args, signal === undefined ? io : { ...io, signal });
  return { code, ...written };
}
