/** Elements as unsigned integer keys of the same order: the types, and the macros of key.cl. */
import { wordType } from "../kernels/compute-type.js";
import { type Macros, macros } from "../kernels/macros.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import keys from "./key.cl";

/** What the text of a key depends on. */
export interface KeyPlan {
  readonly dtype: DTypeName;
  readonly descending: boolean;
}

/** How elements are carried, and what their keys are. */
export interface KeyType {
  /** The unsigned integer, or vector of two, that an element is moved as. */
  readonly item: string;
  readonly itemSize: number;
  /** The type of keys: `uint`, `ulong`, or `ulong2` with the upper half first. */
  readonly key: "uint" | "ulong" | "ulong2";
  /** How many digits of 8 bits a key has. */
  readonly digits: number;
}

/** The types for elements. */
export function keyTypeOf(dtype: DTypeName): KeyType {
  const { itemSize } = typeNamed(dtype);
  const item = dtype === "complex64" ? "uint2" : (wordType(itemSize) as string);
  const key = itemSize <= 4 ? "uint" : itemSize === 8 ? "ulong" : "ulong2";
  return { item, itemSize, key, digits: dtype === "bool" ? 1 : itemSize };
}

/**
 * OpenCL C: the types `item_t` and `key_t`, `key_of(item)`, `is_less(key, key)`, `is_same(key, key)`, `digit_of(key, number)`
 * of 8 bits from the lowest, and the key that no element comes behind, `LAST_KEY`.
 */
export function keySource({ dtype, descending }: KeyPlan): string {
  const { item, key, digits } = keyTypeOf(dtype);
  const kind = kindOf(dtype);
  const turned = descending ? "~" : "";
  const types = { ITEM: item, KEY: key, KEY_WORDS: key === "ulong2" ? 2 : 1, DIGITS: digits, TURNED: turned };
  const own =
    kind > 2
      ? bitMacros(realOf(dtype) as keyof typeof bits)
      : { "KEY_OF(item)": integerKey(dtype, descending, turned) };
  return `${macros({ ...types, IS_FLOATING: kind > 2, IS_COMPLEX: kind === 4, ...own })}${keys}`;
}

function integerKey(dtype: DTypeName, descending: boolean, turned: string): string {
  if (dtype === "bool") return `item ${descending ? "==" : "!="} 0`;
  const { itemSize } = typeNamed(dtype);
  const bitCount = 8 * itemSize;
  // Shorter keys than their type must not have ones above them: these digits would never be looked at, but compared.
  const all = itemSize < 4 ? ` & ${2 ** bitCount - 1}u` : "";
  if (kindOf(dtype) === 1) return `${turned}(key_t)item${all}`;
  const sign = itemSize === 8 ? "0x8000000000000000ul" : `${2 ** (bitCount - 1)}u`;
  return `${turned}((key_t)item ^ ${sign})${all}`;
}

/** Bits of floating-point numbers: all, those of the middle of all keys, and those of infinity. */
const bits = {
  float16: ["0xffffu", "0x8000u", "0x7c00u"],
  float32: ["0xffffffffu", "0x80000000u", "0x7f800000u"],
  float64: ["0xfffffffffffffffful", "0x8000000000000000ul", "0x7ff0000000000000ul"],
} as const;

function bitMacros(real: keyof typeof bits): Macros {
  const wide = real === "float64";
  const [all, middle, infinite] = bits[real];
  return {
    BITS: wide ? "ulong" : "uint",
    SIGNED_BITS: wide ? "long" : "int",
    "SIGNED(bits)": real === "float16" ? "(bits << 16)" : "bits",
    ALL: all,
    MIDDLE: middle,
    INFINITE: infinite,
    "JOINED(upper, lower)": wide ? "(ulong2)(upper, lower)" : "((ulong)(upper) << 32 | (lower))",
  };
}
