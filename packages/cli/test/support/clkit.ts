/** clkit in this process, with an output that a test can read. */
import { clkit, type CommandIo, type Output } from "@cl/cli";

/** How a call ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a test may say of the outputs and the environment. */
export interface Surroundings extends Partial<Pick<Output, "color" | "live" | "width">> {
  readonly env?: CommandIo["env"];
  /** Ends what goes on. */
  readonly signal?: AbortSignal;
  /** Hears what is written while the call goes on. */
  readonly heard?: (name: "out" | "err", text: string) => void;
}

/** Calls clkit with these words. */
export async function call(
  args: readonly string[],
  { env = process.env, signal, heard, ...given }: Surroundings = {},
): Promise<Ended> {
  const written = { out: "", err: "" };
  const output = (name: keyof typeof written): Output => ({
    color: false,
    live: false,
    width: 80,
    ...given,
    write: (text) => {
      written[name] += text;
      heard?.(name, text);
    },
  });
  const io = { out: output("out"), err: output("err"), env };
  const code = await clkit(args, signal === undefined ? io : { ...io, signal });
  return { code, ...written };
}
