/** Translation of user-defined scans for the engine of all scans. */
import type { CompilerOptions, DType, StructType } from "@cl/core";
import type { ScanTexts } from "../scan/scan-texts.js";
import type { Parameter } from "./kernel-parameter.js";
import { arrayStatements, declared, indexType, placedText, placesType, type TextPlan } from "./places-source.js";
import { programHead } from "./program-head.js";

/** The OpenCL C that the user supplies. */
export interface UserScan {
  readonly name: string;
  readonly dtype: DType;
  readonly cType: string;
  readonly parameters: readonly Parameter[];
  readonly input: string;
  readonly scan: string;
  readonly identity: string;
  readonly segmentStart: string | undefined;
  readonly output: string;
  readonly preamble: string;
  readonly types: readonly StructType[];
  readonly options: CompilerOptions | undefined;
}

/** Each text becomes a function of an index's number, so that the names that somebody chose meet no other ones. */
export function userScanTexts(scan: UserScan, plan: TextPlan): ScanTexts {
  const { name, cType, parameters, input, identity, segmentStart, output, dtype } = scan;
  const operation = [input, scan.scan, identity, segmentStart ?? "", output, cType].join("\n");
  const names = parameters.map((one) => (one.isArray ? `${one.name}_memory_` : `${one.name}_value_`));
  const values = parameters.filter(({ isArray }) => !isArray);
  const outside = parameters.map((one) => (one.isArray ? declared(one) : `const ${one.cType} ${one.name}_value_`));
  const inside = [...outside, "const Places_ places_", `const ${indexType(plan)} n_`];
  const statements = `${values.map((one) => `  const ${one.cType} ${one.name} = ${one.name}_value_;`).join("\n")}
${arrayStatements(plan)}
  const long n = places_.size;`;
  const call = (what: string, ...more: readonly string[]): string =>
    `${what}(${[...names, "places_", "n_", ...more].join(", ")})`;
  const usesPrev = /\bprev\b/u.test(output);
  const usesLast = /\blast\b/u.test(output);
  const items = [
    `const ${cType} item`,
    ...(usesPrev ? [`const ${cType} prev`] : []),
    ...(usesLast ? [`const ${cType} last`] : []),
  ];
  const start =
    segmentStart === undefined
      ? ""
      : `int user_start_(${[...inside, `const ${cType} value`].join(", ")}) {
${statements}
  return (${placedText(segmentStart, plan.arrays)}) ? 1 : 0;
}
`;
  return {
    name,
    head: `${programHead({ ...scan, operation, before: "", after: "" })}
${placesType(plan)}
${cType} user_identity_(void) { return ${identity}; }
${cType} user_scan_(const ${cType} a, const ${cType} b) { return ${scan.scan}; }
${cType} user_input_(${inside.join(", ")}) {
${statements}
  return ${placedText(input, plan.arrays)};
}
${start}void user_output_(${[...inside, ...items].join(", ")}) {
${statements}
  do {
${placedText(output, plan.arrays)}
  ;
  } while (0);
}
`,
    item: cType,
    itemBytes: dtype.itemSize,
    identity: "user_identity_()",
    combine: (a, b) => `user_scan_(${a}, ${b})`,
    commutative: false,
    value: call("user_input_"),
    start: segmentStart === undefined ? undefined : call("user_start_", "value_"),
    output: `${call("user_output_", "item_", ...(usesPrev ? ["prev_"] : []), ...(usesLast ? ["last_"] : []))};`,
    usesPrev,
    usesLast,
    parameters: [...outside, "const Places_ places_"],
    short: plan.short,
    usesPlaces: false,
    options: scan.options,
  };
}
