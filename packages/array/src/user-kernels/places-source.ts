/** OpenCL C that computes the offsets of array elements, for all user kernels. */
import type { Parameter } from "./kernel-parameter.js";
import type { ArrayPlan, LaunchPlan } from "./launch-plan.js";
import { withPlaces } from "./operation-text.js";

/** The layouts of arrays, as far as the source depends on them. */
export type TextPlan = Pick<LaunchPlan, "arrays" | "extents" | "short" | "ranged">;

/** A string that plans share if their text is the same. */
export function planKey({ arrays, extents, short, ranged }: TextPlan): string {
  return `${arrays.map((one) => `${one.how}${one.extents.length}`).join()}|${extents.length}|${String(short)}|${String(ranged)}`;
}

/** The type in which places are counted. */
export function indexType({ short }: TextPlan): "int" | "long" {
  return short ? "int" : "long";
}

/** The numbers of a launch, in the order of `Places_`. */
export function placeNumbers(plan: LaunchPlan): readonly number[] {
  return [
    plan.size,
    ...(plan.ranged ? [plan.start, plan.step] : []),
    ...plan.extents,
    ...plan.arrays.flatMap(({ offset, extents, strides }) => [offset, ...extents, ...strides]),
  ];
}

/** The structure of places that kernels get, and functions that find elements by their number in C order. */
export function placesType(plan: TextPlan): string {
  return `${placesStruct(plan, indexType(plan))}\n${placeFunctions(plan, indexType(plan))}`;
}

function placesStruct({ arrays, extents, ranged }: TextPlan, index: string): string {
  const list = (name: string, length: number): string => (length === 0 ? "" : `\n  ${index} ${name}[${length}];`);
  const own = arrays.map(
    ({ argument: { parameter }, extents: ownExtents, strides }) =>
      `\n  ${index} ${parameter.name}_offset;${list(`${parameter.name}_extent`, ownExtents.length)}${list(`${parameter.name}_stride`, strides.length)}`,
  );
  return `/* Counted in elements, the innermost axis first. */
typedef struct {
  ${index} size;${ranged ? `\n  ${index} start;\n  ${index} step;` : ""}${list("extent", extents.length)}${own.join("")}
} Places_;
`;
}

/** Where an element of an array with gaps is, by its number in C order. */
function placeFunctions({ arrays }: TextPlan, index: string): string {
  return arrays
    .filter(({ how }) => how === "own")
    .map(({ argument: { parameter }, extents: { length } }) => {
      const { name } = parameter;
      const steps = Array.from({ length }, (_, axis) =>
        axis === length - 1
          ? `  place += (${index})rest * places.${name}_stride[${axis}];`
          : `  place += (${index})(rest % (u${index})places.${name}_extent[${axis}]) * places.${name}_stride[${axis}];
  rest /= (u${index})places.${name}_extent[${axis}];`,
      );
      return `${index} ${name}_place_(const Places_ places, const long number) {
  u${index} rest = (u${index})number;
  ${index} place = places.${name}_offset;
${steps.join("\n")}
  return place;
}
`;
    })
    .join("\n");
}

/** The index, by the number `n_` of those that there are, pointers to first elements, and where the elements at the index are. */
export function arrayStatements(plan: TextPlan): string {
  const {
    arrays,
    extents: { length },
  } = plan;
  const index = indexType(plan);
  const shared = arrays.filter(({ how }) => how === "shared");
  const lines = shared.length === 0 || length === 0 ? [] : [`u${index} rest_ = (u${index})n_;`];
  for (let axis = 0; shared.length > 0 && axis < length; axis++) {
    if (axis === length - 1) {
      lines.push(`const ${index} i${axis}_ = (${index})rest_;`);
    } else {
      lines.push(
        `const ${index} i${axis}_ = (${index})(rest_ % (u${index})places_.extent[${axis}]);`,
        `rest_ /= (u${index})places_.extent[${axis}];`,
      );
    }
  }
  for (const { argument, how } of arrays) {
    const { parameter } = argument;
    const { name } = parameter;
    const start = how === "direct" ? ` + places_.${name}_offset` : "";
    lines.push(`__global ${pointed(parameter)} *const ${name} = ${name}_memory_${start};`);
    if (how === "shared") {
      const terms = Array.from({ length }, (_, axis) => ` + i${axis}_ * places_.${name}_stride[${axis}]`);
      lines.push(`const ${index} ${name}_at_ = places_.${name}_offset${terms.join("")};`);
    }
  }
  return [`const long i = ${plan.ranged ? "places_.start + (long)n_ * places_.step" : "n_"};`, ...lines]
    .map((line) => `  ${line}`)
    .join("\n");
}

/** A parameter as kernels declare it; the names that somebody wrote are left to the text. */
export function declared(parameter: Parameter): string {
  return parameter.isArray
    ? `__global ${pointed(parameter)} *const ${parameter.name}_memory_`
    : `const ${parameter.cType} ${parameter.name}`;
}

function pointed({ writes, cType }: Parameter): string {
  return `${writes ? "" : "const "}${cType}`;
}

/** The text with each access where the element is. Halves that are only read are loaded as floats, which every device can. */
export function placedText(text: string, arrays: readonly ArrayPlan[]): string {
  const plans = new Map(arrays.map((plan) => [plan.argument.parameter.name, plan]));
  return withPlaces(text, new Set(plans.keys()), (name, index) => {
    const { how, argument } = plans.get(name) as ArrayPlan;
    const loads = argument.parameter.cType === "half" && !argument.parameter.writes;
    if (how === "direct" && !loads) return undefined;
    const place =
      how === "direct" ? (index ?? "i") : how === "shared" ? `${name}_at_` : `${name}_place_(places_, ${index ?? "i"})`;
    return loads ? `vload_half(${place}, ${name})` : `${name}[${place}]`;
  });
}
