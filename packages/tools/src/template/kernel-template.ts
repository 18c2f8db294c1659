/** Programs that are generated from a text with placeholders. */
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

/** How to make a template. */
export interface KernelTemplateOptions {
  /** A name of yours, shown in errors. */
  readonly label?: string;
  /** Names of types besides those of OpenCL C: a registry, or the structs. Their declarations come before the text. */
  readonly types?: TypeRegistry | readonly StructType[];
}

/** How to build a program of a template. */
export interface TemplateBuildOptions {
  /** Options for the compiler. */
  readonly options?: CompilerOptions;
  /** Ends the wait of this caller. */
  readonly signal?: AbortSignal;
}

/** A program's text and where its lines come from. */
export interface RenderedTemplate {
  /** The text. */
  readonly source: string;
  /** Where a line of it, from 1, comes from, in words; undefined for lines that are not the template's. */
  readonly origin: (line: number) => string | undefined;
}

/**
 * A program's text with placeholders, which are typed: `$name`, or `$(name)` where letters follow. Each of them is declared
 * with what it stands for, and given a value at each build. The programs are kept by context and by their text; a value
 * that is missing, or of another type, is refused before anything is compiled, and errors of the compiler point at the
 * template's lines.
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
  /** The text with its placeholders. */
  readonly source: string;
  /** A name of yours, shown in errors. */
  readonly label: string | undefined;
  readonly #placeholders: P;
  readonly #pieces: readonly Piece[];
  readonly #types: TypeRegistry;
  readonly #programs = new ProgramCache();

  constructor(source: string, placeholders: P, options?: KernelTemplateOptions) {
    this.source = checkString(source, "source");
    if (typeof placeholders !== "object" || placeholders === null || Array.isArray(placeholders)) {
      throw typeError("placeholders", "an object with what each placeholder stands for", placeholders);
    }
    const { label, types } = checkOptions(options, ["label", "types"]);
    this.label = label === undefined ? undefined : checkString(label, "options.label");
    this.#types = readTypes(types, "options.types");
    this.#placeholders = Object.freeze({ ...placeholders });
    this.#pieces = readPieces(source, (line, what) =>
      typeError("source", `a template, but in line ${line} ${what}`, source),
    );
    for (const [name, placeholder] of Object.entries(placeholders)) {
      if (!isIdentifier(name)) throw typeError("placeholders", "an object whose keys are names", name);
      checkPlaceholder(placeholder, `placeholders.${name}`);
    }
    const unknown = this.#pieces.find(({ placeholder }) => placeholder !== undefined && !this.#has(placeholder));
    if (unknown !== undefined) {
      throw typeError(
        "placeholders",
        `an object with ${unknown.placeholder}, which line ${unknown.line} of source uses`,
        placeholders,
      );
    }
    this.#checkUsed();
  }

  /** The text for some values, which is what a program is built from. */
  render(values: TemplateValues<P>): RenderedTemplate {
    return this.#render(values);
  }

  /**
   * The program for some values, built for all devices of the context. Equal texts and options give the same program; do
   * not release it, it ends with the context.
   */
  async build(context: Context, values: TemplateValues<P>, options?: TemplateBuildOptions): Promise<Program> {
    checkInstance(context, Context, "context");
    const { options: compiler, signal } = checkOptions(options, ["options", "signal"]);
    checkSignal(signal);
    const { source, origin, extensions } = this.#render(values);
    const given = compiler === undefined ? {} : { options: compiler };
    const program = this.#programs.get(context, source, compiler, async () =>
      this.#program(context, source, origin, extensions).build(given),
    );
    return abortable(program, signal);
  }

  /** Like {@link build}, blocking. */
  buildSync(context: Context, values: TemplateValues<P>, options?: Omit<TemplateBuildOptions, "signal">): Program {
    checkInstance(context, Context, "context");
    const { options: compiler } = checkOptions(options, ["options"]);
    const { source, origin, extensions } = this.#render(values);
    const given = compiler === undefined ? {} : { options: compiler };
    return this.#programs.getSync(context, source, compiler, () =>
      this.#program(context, source, origin, extensions).buildSync(given),
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

  /** What no text shows must at least be there for a function to see. */
  #checkUsed(): void {
    const shown = new Set(this.#pieces.map(({ placeholder }) => placeholder));
    const entries = Object.entries(this.#placeholders);
    const hasFunctions = entries.some(([, placeholder]) => typeof placeholder === "function");
    for (const [name, placeholder] of entries) {
      if (shown.has(name) || (hasFunctions && typeof placeholder !== "function")) continue;
      throw typeError("placeholders", `an object of what the source uses, which ${name} is not`, this.#placeholders);
    }
  }

  #render(values: TemplateValues<P>): RenderedTemplate & { readonly extensions: readonly string[] } {
    const rendered = this.#renderValues(values);
    const all = [...rendered.values()];
    const extensions = [...new Set(all.flatMap((one) => one.extensions))];
    const texts = this.#texts(rendered);
    const composed = compose(this.#pieces, (name) => texts.get(name) as string);
    const preamble = this.#preamble(
      extensions,
      all.flatMap((one) => one.structs),
    );
    return {
      source: preamble + composed.text,
      origin: this.#origins(preamble, composed),
      extensions,
    };
  }

  #renderValues(values: TemplateValues<P>): Map<string, Rendered> {
    const given = checkObject(values, "values") as Readonly<Record<string, unknown>>;
    const rendered = new Map<string, Rendered>();
    for (const name of Object.keys(given)) {
      const placeholder = this.#has(name) ? this.#placeholders[name] : undefined;
      if (placeholder === undefined) {
        throw typeError("values", `an object of the placeholders' values, not ${name}`, given);
      }
      if (typeof placeholder === "function") {
        throw typeError(`values.${name}`, "left out: a function makes it", given[name]);
      }
    }
    for (const [name, placeholder] of Object.entries(this.#placeholders)) {
      if (typeof placeholder === "function") continue;
      if (given[name] === undefined) throw typeError(`values.${name}`, "there, since the template uses it", undefined);
      rendered.set(name, renderValue(placeholder, given[name], `values.${name}`, this.#types));
    }
    return rendered;
  }

  /** The text of each placeholder, those of functions included, which see the values and must use the rest of them. */
  #texts(rendered: ReadonlyMap<string, Rendered>): ReadonlyMap<string, string> {
    const used = new Set(this.#pieces.map(({ placeholder }) => placeholder));
    const seen = Object.defineProperties(
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
      texts.set(name, checkString(placeholder(seen), `what placeholders.${name} returned`));
    }
    const unused = [...rendered.keys()].find((name) => !used.has(name));
    if (unused === undefined) return texts;
    throw typeError("placeholders", `an object of what the template uses, which ${unused} is not`, this.#placeholders);
  }

  #preamble(extensions: readonly string[], structs: readonly StructType[]): string {
    // Some compilers want to be told, although the device has it; those that know it as a feature do not mind.
    const pragmas = extensions.map((name) => `#ifdef ${name}\n#pragma OPENCL EXTENSION ${name} : enable\n#endif\n`);
    const declared = new Set([...this.#types.structs, ...structs].map(({ cDeclaration }) => `${cDeclaration}\n`));
    return [...pragmas, ...declared].join("");
  }

  #origins(preamble: string, { lines }: Composed): (line: number) => string | undefined {
    const before = preamble.split("\n").length - 1;
    const name = this.label === undefined ? "the template" : `template "${this.label}"`;
    return (line) => {
      const origin: Origin | undefined = lines[line - before - 1];
      if (origin === undefined) return undefined;
      const { inside } = origin;
      return inside === undefined
        ? `line ${origin.line} of ${name}`
        : `line ${inside.line} of $${inside.placeholder} in line ${origin.line} of ${name}`;
    };
  }

  #checkDevice(device: Device, extensions: readonly string[]): void {
    const lacking = extensions.find((name) => !device.hasExtension(name));
    if (lacking === undefined) return;
    const what = this.label === undefined ? "this program" : `program "${this.label}"`;
    throw new NotSupportedError("clBuildProgram", `${what} needs ${lacking}, which '${device.name}' has not`);
  }
}
