/** clkit in this process, with an output that a test can read. */
import { clkit, type CommandIo, type Output } from "@cl/cli";

/** How a call ended. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** What a test may say of the outputs and the environment. */
export interface Surroundings extends Partial<Pick<Output, "colour" | "live" | "width">> {
  readonly env?: CommandIo["env"];
}

/** Calls clkit with these words. */
export async function call(
  args: readonly string[],
  { env = process.env, ...given }: Surroundings = {},
): Promise<Ended> {
  const written = { out: "", err: "" };
  const output = (name: keyof typeof written): Output => ({
    colour: false,
    live: false,
    width: 80,
    ...given,
    write: (text) => void (written[name] += text),
  });
  const code = await clkit(args, { out: output("out"), err: output("err"), env });
  return { code, ...written };
}
