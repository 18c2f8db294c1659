/** Rules of speedscope's file format, from its schema and its importer. */

/** The used parts of a file. */
export interface SpeedscopeFile {
  readonly $schema: string;
  readonly name?: string;
  readonly activeProfileIndex?: number;
  readonly shared: { readonly frames: readonly { readonly name: string }[] };
  readonly profiles: readonly {
    readonly type: string;
    readonly name: string;
    readonly unit: string;
    readonly startValue: number;
    readonly endValue: number;
    readonly events: readonly { readonly type: string; readonly frame: number; readonly at: number }[];
  }[];
}

const units = ["none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes"];

/** Returns the violated rules as sentences. */
export function checkSpeedscope(file: SpeedscopeFile): string[] {
  const broken: string[] = [];
  const rule = (holds: boolean, sentence: string): void => {
    if (!holds) broken.push(sentence);
  };
  rule(file.$schema === "https://www.speedscope.app/file-format-schema.json", "the file names its schema");
  rule(
    file.shared.frames.every(({ name }) => typeof name === "string"),
    "frames have names",
  );
  rule(new Set(file.shared.frames.map(({ name }) => name)).size === file.shared.frames.length, "frames are unique");
  for (const profile of file.profiles) {
    const { name, type, unit, startValue, endValue, events } = profile;
    rule(type === "evented", `${name} is evented`);
    rule(units.includes(unit), `${name} has a known unit`);
    rule(startValue <= endValue, `${name} begins before it ends`);
    const open: number[] = [];
    let last = startValue;
    for (const event of events) {
      rule(event.at >= last && event.at <= endValue, `${name}: events are in order and within the profile`);
      rule(file.shared.frames[event.frame] !== undefined, `${name}: frame ${event.frame} exists`);
      if (event.type === "O") open.push(event.frame);
      else rule(event.type === "C" && open.pop() === event.frame, `${name}: the frame opened last is closed first`);
      last = event.at;
    }
    rule(open.length === 0, `${name}: all frames are closed`);
  }
  return broken;
}
