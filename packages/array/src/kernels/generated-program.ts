/** Programs that this package generates, and their kernels. A program is built when one of its kernels is first needed. */
import { type CompilerOptions, type Context, Kernel, Program } from "@cl/core";
import { type Buildable, isLeftOut, leavesOut, noteLaunch } from "../storage/attempt.js";

/** What a program is made of. */
export interface ProgramText {
  readonly source: () => string;
  /** Name in messages of the compiler. */
  readonly label: string;
  readonly options?: CompilerOptions | undefined;
  /** Whether warnings are reported. @defaultValue false */
  readonly warns?: boolean;
}

/** A program that is built later. */
export class GeneratedProgram implements Buildable {
  misses = 0;
  readonly #context: Context;
  readonly #text: ProgramText;
  #program: Program | undefined;
  #building: Promise<void> | undefined;
  readonly #kernels = new Map<string, GeneratedKernel>();
  /** Kernels that were left out because the program was not built. */
  readonly #leftOut = new Set<GeneratedKernel>();

  constructor(context: Context, text: ProgramText) {
    this.#context = context;
    this.#text = text;
  }

  /** Returns the kernel of a name; the same one each time. */
  kernel(name: string): GeneratedKernel {
    let kernel = this.#kernels.get(name);
    if (kernel === undefined) this.#kernels.set(name, (kernel = new GeneratedKernel(this, name)));
    return kernel;
  }

  get isBuilt(): boolean {
    return this.#program !== undefined && !this.#program.released;
  }

  /** Returns the program, or `undefined` if the current attempt cannot wait for the compiler of a kernel. */
  ready(kernel: GeneratedKernel): Program | undefined {
    if (this.#program !== undefined && !this.#program.released) return this.#program;
    if (isLeftOut(this)) {
      this.#leftOut.add(kernel);
      return undefined;
    }
    this.#program = this.#unbuilt().buildSync({ options: this.#options });
    return this.#program;
  }

  build(): Promise<void> {
    this.#building ??= this.#build();
    return this.#building;
  }

  async #build(): Promise<void> {
    try {
      this.#program = await this.#unbuilt().build({ options: this.#options });
      // The source is parsed for the types of parameters: here, so that a call of many kernels does not parse all in one turn.
      for (const kernel of this.#leftOut) kernel.create(this.#program);
      this.#leftOut.clear();
    } finally {
      this.#building = undefined;
    }
  }

  #unbuilt(): Program {
    return new Program(this.#context, this.#text.source(), { label: this.#text.label });
  }

  /**
   * Without warnings by default: clang warns about the calling convention of vectors that are wider than the CPU's registers,
   * and PoCL prints the number of warnings to stderr.
   */
  get #options(): CompilerOptions {
    const { options = [], warns = false } = this.#text;
    if (warns) return options;
    return typeof options === "string" ? `-w ${options}` : ["-w", ...options];
  }
}

/** A kernel of a program that is built later. */
export class GeneratedKernel {
  readonly #program: GeneratedProgram;
  readonly #name: string;
  #kernel: Kernel | undefined;

  constructor(program: GeneratedProgram, name: string) {
    this.#program = program;
    this.#name = name;
  }

  /**
   * Returns the kernel, or `undefined` if its launch must be left out because the current attempt cannot wait for the
   * compiler.
   */
  ready(): Kernel | undefined {
    if (this.#kernel === undefined || this.#kernel.released) {
      const program = this.#program.ready(this);
      if (program === undefined) return undefined;
      this.create(program);
    }
    if (leavesOut()) return undefined;
    noteLaunch();
    return this.#kernel;
  }

  /** Creates the kernel of the built program. */
  create(program: Program): void {
    this.#kernel = new Kernel(program, this.#name);
  }
}
