/** Names that programs have for types, besides those of OpenCL C. */
import { checkIdentifier, checkInstance, checkString, typeError } from "@cl/base";
import { type DType, type DTypeLike, StructType } from "@cl/core";
import { checkDType, dtypeOfC } from "@cl/core/internal";

/**
 * The types that a kernel's text can name: those of OpenCL C, and what is registered. There is no global one; make one for
 * the types that belong together.
 *
 * @example
 * ```ts
 * const types = new TypeRegistry([structType("particle", { position: "float3", mass: "float32" })]);
 * types.register(["cfloat_t", "complex_float"], "complex64");
 * console.log(types.dtype("particle").itemSize, types.cName("complex64")); // 32 cfloat_t
 * ```
 */
export class TypeRegistry {
  readonly #types = new Map<string, DType>();
  /** The name that each type was first registered by. */
  readonly #names = new Map<string, string>();

  constructor(structs: readonly StructType[] = []) {
    if (!Array.isArray(structs)) throw typeError("structs", "an array of StructTypes", structs);
    structs.forEach((struct: unknown, i) => {
      const type = checkInstance(struct, StructType, `structs[${i}]`);
      this.register(type.name, type);
    });
  }

  /**
   * Gives a type one or more names; the first is the one that declarations are written with. Registering a name again for
   * the same type does nothing, for another type it throws. Returns the type.
   */
  register(names: string | readonly string[], type: DTypeLike): DType {
    const list: readonly unknown[] = Array.isArray(names) ? names : [names];
    if (list.length === 0) throw typeError("names", "a name or an array of at least one", names);
    const checked = list.map((name, i) => checkIdentifier(name, Array.isArray(names) ? `names[${i}]` : "names"));
    const known = checkDType(type, "type");
    for (const name of checked) {
      const other = this.#types.get(name);
      if (other !== undefined && !other.equals(known)) {
        throw new TypeError(
          `"${name}" is registered for another type, ${describe(other)}; it cannot be ${describe(known)}`,
        );
      }
    }
    for (const name of checked) this.#types.set(name, known);
    if (!this.#names.has(known.key)) this.#names.set(known.key, checked[0] as string);
    return known;
  }

  /** True if a text can name a type so. */
  has(name: string): boolean {
    return this.#find(checkString(name, "name")) !== undefined;
  }

  /** The type of a name; `int8` is a vector here, as in OpenCL C. */
  dtype(name: string): DType {
    const found = this.#find(checkString(name, "name"));
    if (found !== undefined) return found;
    const registered = [...this.#types.keys()];
    const others = registered.length === 0 ? "" : ` or registered (${registered.join(", ")})`;
    throw typeError("name", `that of a type of OpenCL C${others}`, name);
  }

  /** The name of a type in programs: the one it is registered by, or OpenCL C's own. */
  cName(type: DTypeLike): string {
    const known = checkDType(type, "type");
    const name = this.#names.get(known.key);
    if (name !== undefined) return name;
    if (known.kind !== "struct") return known.cName;
    throw typeError("type", `a type with a name in C: struct ${known.name} is not registered`, type);
  }

  /** The registered structs, those inside others first. */
  get structs(): readonly StructType[] {
    const all: StructType[] = [];
    for (const type of this.#types.values()) {
      for (const struct of type instanceof StructType ? type.structs : []) {
        if (!all.some((one) => one.equals(struct))) all.push(struct);
      }
    }
    return all;
  }

  #find(name: string): DType | undefined {
    return this.#types.get(name.trim()) ?? dtypeOfC(name);
  }
}

/** An option that is a registry, the structs for one, or left out. */
export function readTypes(types: TypeRegistry | readonly StructType[] | undefined, name: string): TypeRegistry {
  if (types instanceof TypeRegistry) return types;
  if (types !== undefined && !Array.isArray(types)) {
    throw typeError(name, "a TypeRegistry or an array of StructTypes", types);
  }
  (types ?? []).forEach((struct, i) => checkInstance(struct, StructType, `${name}[${i}]`));
  return new TypeRegistry(types);
}

/** Converts a value to an element type. Errors call it `name`. */
export function checkType(like: DTypeLike, name: string): DType {
  return checkDType(like, name);
}

function describe(type: DType): string {
  return type.kind === "struct" ? `struct ${type.name} of ${type.itemSize} bytes` : type.name;
}
