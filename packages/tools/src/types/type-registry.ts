/** Custom type names in OpenCL C programs. */
import { checkIdentifier, checkInstance, checkString, typeError, wrongValue } from "@cl/base";
import { type DType, type DTypeLike, StructType } from "@cl/core";
import { checkDType, dtypeOfC } from "@cl/core/internal";

/**
 * A registry of the type names that kernel sources can use: those of OpenCL C and registered ones. There is no global
 * registry; create one for each group of related types.
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
  /** The first registered name of each type. */
  readonly #names = new Map<string, string>();

  constructor(structs: readonly StructType[] = []) {
    if (!Array.isArray(structs)) throw typeError("structs", "an array of StructTypes", structs);
    structs.forEach((struct: unknown, i) => {
      const type = checkInstance(struct, StructType, `structs[${i}]`);
      this.register(type.name, type);
    });
  }

  /**
   * Registers one or more names of a type and returns the type. Declarations use the first name. Registering a name
   * again has no effect for the same type and throws for another one.
   */
  register(names: string | readonly string[], type: DTypeLike): DType {
    const list: readonly unknown[] = Array.isArray(names) ? names : [names];
    if (list.length === 0) throw typeError("names", "a name or a non-empty array of names", names);
    const checked = list.map((name, i) => checkIdentifier(name, Array.isArray(names) ? `names[${i}]` : "names"));
    const known = checkDType(type, "type");
    for (const name of checked) {
      const other = this.#types.get(name);
      if (other !== undefined && !other.equals(known)) {
        throw wrongValue(
          `"${name}" is registered for another type, ${describe(other)}; it cannot be ${describe(known)}`,
        );
      }
    }
    for (const name of checked) this.#types.set(name, known);
    if (!this.#names.has(known.key)) this.#names.set(known.key, checked[0] as string);
    return known;
  }

  /** Returns true if the name is a type of OpenCL C or registered. */
  has(name: string): boolean {
    return this.#find(checkString(name, "name")) !== undefined;
  }

  /** Returns the type with a name. `int8` is a vector type here, as in OpenCL C. Throws if the name is unknown. */
  dtype(name: string): DType {
    const found = this.#find(checkString(name, "name"));
    if (found !== undefined) return found;
    const registered = [...this.#types.keys()];
    const others = registered.length === 0 ? "" : ` or registered (${registered.join(", ")})`;
    throw typeError("name", `the name of an OpenCL C type${others}`, name);
  }

  /**
   * Returns the name of a type in programs: the first registered name, or OpenCL C's. Throws for an unregistered
   * struct.
   */
  cName(type: DTypeLike): string {
    const known = checkDType(type, "type");
    const name = this.#names.get(known.key);
    if (name !== undefined) return name;
    if (known.kind !== "struct") return known.cName;
    throw typeError("type", `a type with a name in C (struct ${known.name} is not registered)`, type);
  }

  /** The registered structs, nested structs first. */
  get structs(): readonly StructType[] {
    const structs: StructType[] = [];
    for (const type of this.#types.values()) {
      for (const struct of type instanceof StructType ? type.structs : []) {
        if (!structs.some((other) => other.equals(struct))) structs.push(struct);
      }
    }
    return structs;
  }

  #find(name: string): DType | undefined {
    return this.#types.get(name.trim()) ?? dtypeOfC(name);
  }
}

/** Returns the registry that an option stands for: a registry, an array of structs, or `undefined`. */
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
