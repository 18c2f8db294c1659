/** Programs generated from templates. */
import {
  abortable,
  checkInstance,
  checkObject,
  checkOptions,
  checkSignal,
  checkString,
  isIdentifier,
  typeError,
} from "@cl/base";
import { type CompilerOptions, Context, type Device, NotSupportedError, Program, type StructType } from "@cl/core";

import { readTypes, type TypeRegistry } from "../types/type-registry.js";
import {
  checkPlaceholder,
  type Placeholders,
  type Rendered,
  renderValue,
  type TemplateValues,
} from "./placeholders.js";
import { ProgramCache } from "./program-cache.js";
import { compose, type Composed, type Origin, type Piece, readPieces } from "./template-text.js";

/** Options of {@link KernelTemplate}. */
export interface KernelTemplateOptions {
  /** Name shown in errors. */
  readonly label?: string;
  /** Additional type names: a registry or an array of structs. Struct declarations are added before the text. */
  readonly types?: TypeRegistry | readonly StructType[];
}

/** Options for building a program from a template. */
export interface TemplateBuildOptions {
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Aborts the wait of this call. */
  readonly signal?: AbortSignal;
}

/** A program source and the origin of its lines. */
export interface RenderedTemplate {
  /** The program source. */
  readonly source: string;
  /** Describes the origin of a line, counted from 1; `undefined` for lines that are not from the template. */
  readonly origin: (line: number) => string | undefined;
}

/**
 * A program source with typed placeholders: `$name`, or `$(name)` if letters follow. Each placeholder is declared with
 * its kind and gets a value in each build. Programs are cached by context and source. Missing values and values of a
 * wrong type throw before compilation, and compiler errors refer to lines of the template.
 *
 * @example
 * ```ts
 * const scale = new KernelTemplate(
 *   `__kernel void scale($args) {
 *     $offsets
 *     size_t i = get_global_id(0);
 *     y[i] = $factor * ($T)x[i];
 *   }`,
 *   {
 *     T: "type",
 *     factor: { value: "float32" },
 *     args: "arguments",
 *     offsets: ({ args }) => offsetCode(args),
 *   },
 * );
 * const args = parseArguments("__global const int *x, __global float *y", { withOffset: true });
 * const program = await scale.build(context, { T: "float32", factor: 0.5, args });
 * console.log(program.kernelNames); // [ 'scale' ]
 * ```
 */
export class KernelTemplate<const P extends Placeholders> {
  /** The source with its placeholders. */
  readonly source: string;
  /** Name shown in errors. */
  readonly label: string | undefined;
  readonly #placeholders: P;
  readonly #pieces: readonly Piece[];
  readonly #types: TypeRegistry;
  readonly #programs = new ProgramCache();

  constructor(source: string, placeholders: P, options?: KernelTemplateOptions) {
    this.source = checkString(source, "source");
    if (typeof placeholders !== "object" || placeholders === null || Array.isArray(placeholders)) {
      throw typeError("placeholders", "an object with the kind of each placeholder", placeholders);
    }
    const { label, types } = checkOptions(options, ["label", "types"]);
    this.label = label === undefined ? undefined : checkString(label, "options.label");
    this.#types = readTypes(types, "options.types");
    this.#placeholders = Object.freeze({ ...placeholders });
    this.#pieces = readPieces(source, (line, problem) =>
      typeError("source", `a valid template (line ${line}: ${problem})`, source),
    );
    for (const [name, placeholder] of Object.entries(placeholders)) {
      if (!isIdentifier(name)) throw typeError("placeholders", "an object whose keys are identifiers", name);
      checkPlaceholder(placeholder, `placeholders.${name}`);
    }
    const unknown = this.#pieces.find(({ placeholder }) => placeholder !== undefined && !this.#has(placeholder));
    if (unknown !== undefined) {
      throw typeError(
        "placeholders",
        `an object with the property ${unknown.placeholder}, which line ${unknown.line} of source uses`,
        placeholders,
      );
    }
    this.#checkUsed();
  }

  /** Returns the program source for some values. */
  render(values: TemplateValues<P>): RenderedTemplate {
    return this.#render(values);
  }

  /**
   * Builds the program for some values, for all devices of the context. Equal sources and options return the same
   * program, which is released with the context; do not release it.
   */
  async build(context: Context, values: TemplateValues<P>, options?: TemplateBuildOptions): Promise<Program> {
    checkInstance(context, Context, "context");
    const { options: compiler, signal } = checkOptions(options, ["options", "signal"]);
    checkSignal(signal);
    const { source, origin, extensions } = this.#render(values);
    const buildOptions = compiler === undefined ? {} : { options: compiler };
    const program = this.#programs.get(context, source, compiler, async () =>
      this.#program(context, source, origin, extensions).build(buildOptions),
    );
    return abortable(program, signal);
  }

  /** Builds the program synchronously. See {@link build}. */
  buildSync(context: Context, values: TemplateValues<P>, options?: Omit<TemplateBuildOptions, "signal">): Program {
    checkInstance(context, Context, "context");
    const { options: compiler } = checkOptions(options, ["options"]);
    const { source, origin, extensions } = this.#render(values);
    const buildOptions = compiler === undefined ? {} : { options: compiler };
    return this.#programs.getSync(context, source, compiler, () =>
      this.#program(context, source, origin, extensions).buildSync(buildOptions),
    );
  }

  #program(
    context: Context,
    source: string,
    origin: RenderedTemplate["origin"],
    extensions: readonly string[],
  ): Program {
    for (const device of context.devices) this.#checkDevice(device, extensions);
    return new Program(context, source, this.label === undefined ? { origin } : { label: this.label, origin });
  }

  #has(name: string): boolean {
    return Object.hasOwn(this.#placeholders, name);
  }

  /** Throws for a placeholder that the source does not use, unless a function may use it. */
  #checkUsed(): void {
    const used = new Set(this.#pieces.map(({ placeholder }) => placeholder));
    const entries = Object.entries(this.#placeholders);
    const hasFunctions = entries.some(([, placeholder]) => typeof placeholder === "function");
    for (const [name, placeholder] of entries) {
      if (used.has(name) || (hasFunctions && typeof placeholder !== "function")) continue;
      throw unusedPlaceholder(name, this.#placeholders);
    }
  }

  #render(values: TemplateValues<P>): RenderedTemplate & { readonly extensions: readonly string[] } {
    const rendered = this.#renderValues(values);
    const renderedValues = [...rendered.values()];
    const extensions = [...new Set(renderedValues.flatMap((value) => value.extensions))];
    const texts = this.#texts(rendered);
    const composed = compose(this.#pieces, (name) => texts.get(name) as string);
    const preamble = this.#preamble(
      extensions,
      renderedValues.flatMap((value) => value.structs),
    );
    return {
      source: preamble + composed.text,
      origin: this.#origins(preamble, composed),
      extensions,
    };
  }

  #renderValues(values: TemplateValues<P>): Map<string, Rendered> {
    const checked = checkObject(values, "values") as Readonly<Record<string, unknown>>;
    const rendered = new Map<string, Rendered>();
    for (const name of Object.keys(checked)) {
      const placeholder = this.#has(name) ? this.#placeholders[name] : undefined;
      if (placeholder === undefined) {
        throw typeError(
          "values",
          `an object of placeholder values without ${name}, which is not a placeholder`,
          checked,
        );
      }
      if (typeof placeholder === "function") {
        throw typeError(`values.${name}`, "omitted: a function computes it", checked[name]);
      }
    }
    for (const [name, placeholder] of Object.entries(this.#placeholders)) {
      if (typeof placeholder === "function") continue;
      if (checked[name] === undefined) throw typeError(`values.${name}`, "set: the template uses it", undefined);
      rendered.set(name, renderValue(placeholder, checked[name], `values.${name}`, this.#types));
    }
    return rendered;
  }

  /** Returns the text of each placeholder. Throws if a value is used neither by the source nor by a function. */
  #texts(rendered: ReadonlyMap<string, Rendered>): ReadonlyMap<string, string> {
    const used = new Set(this.#pieces.map(({ placeholder }) => placeholder));
    const observedValues = Object.defineProperties(
      {},
      Object.fromEntries(
        Array.from(rendered, ([name, { value }]) => [
          name,
          {
            enumerable: true,
            get: () => {
              used.add(name);
              return value;
            },
          },
        ]),
      ),
    );
    const texts = new Map(Array.from(rendered, ([name, { text }]) => [name, text]));
    for (const [name, placeholder] of Object.entries(this.#placeholders)) {
      if (typeof placeholder !== "function") continue;
      texts.set(name, checkString(placeholder(observedValues), `the result of placeholders.${name}`));
    }
    const unused = [...rendered.keys()].find((name) => !used.has(name));
    if (unused === undefined) return texts;
    throw unusedPlaceholder(unused, this.#placeholders);
  }

  #preamble(extensions: readonly string[], structs: readonly StructType[]): string {
    // Some compilers require a pragma even if the device supports the extension; others ignore it.
    const pragmas = extensions.map((name) => `#ifdef ${name}\n#pragma OPENCL EXTENSION ${name} : enable\n#endif\n`);
    const declarations = new Set([...this.#types.structs, ...structs].map(({ cDeclaration }) => `${cDeclaration}\n`));
    return [...pragmas, ...declarations].join("");
  }

  #origins(preamble: string, { lines }: Composed): (line: number) => string | undefined {
    const preambleLines = preamble.split("\n").length - 1;
    const name = this.label === undefined ? "the template" : `template "${this.label}"`;
    return (line) => {
      const origin: Origin | undefined = lines[line - preambleLines - 1];
      if (origin === undefined) return undefined;
      const { inside } = origin;
      return inside === undefined
        ? `line ${origin.line} of ${name}`
        : `line ${inside.line} of $${inside.placeholder} in line ${origin.line} of ${name}`;
    };
  }

  #checkDevice(device: Device, extensions: readonly string[]): void {
    const missing = extensions.find((name) => !device.hasExtension(name));
    if (missing === undefined) return;
    const program = this.label === undefined ? "this program" : `program "${this.label}"`;
    throw new NotSupportedError(
      "clBuildProgram",
      `${program} needs ${missing}, which '${device.name}' does not support`,
    );
  }
}

function unusedPlaceholder(name: string, placeholders: Placeholders): TypeError {
  return typeError("placeholders", `an object without ${name}, which the template does not use`, placeholders);
}
