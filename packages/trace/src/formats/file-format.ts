/** Formats by the endings of file names. */
import { wrongValue } from "@cl/base";

/** Endings with their formats. The first that matches counts. */
type Endings<F extends string> = readonly (readonly [ending: string, format: F])[];

/** Returns the format of a file, compressed or not; `undefined` if no ending matches. */
export function formatOf<F extends string>(path: string, endings: Endings<F>): F | undefined {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

/** Returns the format of a file. Throws if no ending matches. */
export function checkFormat<F extends string>(path: string, endings: Endings<F>): F {
  const format = formatOf(path, endings);
  if (format !== undefined) return format;
  const known = endings.map(([ending]) => ending).join(", ");
  throw wrongValue(`path must end in ${known}, unless options.format is set, received ${JSON.stringify(path)}`);
}

/** Whether a file name ends in .gz. */
export function isCompressed(path: string): boolean {
  return /\.gz$/i.test(path);
}
