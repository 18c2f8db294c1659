/**
 * Elements as unsigned integer keys of the same order. Only the elements' original bits are moved, so -0 and NaN
 * payloads are preserved; keys are computed for each comparison. So no kernel computes with double or half.
 */
import { wordType } from "../kernels/compute-type.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";

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
  return `
typedef ${item} item_t;
typedef ${key} key_t;
#define DIGITS ${digits}
${key === "ulong2" ? wideKeys : plainKeys(key)}
${keyFunction(dtype, descending)}
`;
}

const plainKeys = (key: "uint" | "ulong"): string => `
#define LAST_KEY ((key_t)-1)
#define KEY_WORDS 1
bool is_less(const key_t a, const key_t b) { return a < b; }
bool is_same(const key_t a, const key_t b) { return a == b; }
uint digit_of(const key_t key, const int digit) { return (uint)(key >> (${key})(8 * digit)) & 255u; }
ulong word_of(const key_t key, const int word) { return key; }`;

const wideKeys = `
#define LAST_KEY ((ulong2)(-1))
#define KEY_WORDS 2
bool is_less(const key_t a, const key_t b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
bool is_same(const key_t a, const key_t b) { return a.x == b.x && a.y == b.y; }
uint digit_of(const key_t key, const int digit) {
  return (uint)((digit < 8 ? key.y : key.x) >> (ulong)(8 * (digit & 7))) & 255u;
}
ulong word_of(const key_t key, const int word) { return word == 0 ? key.y : key.x; }`;

function keyFunction(dtype: DTypeName, descending: boolean): string {
  const turned = descending ? "~" : "";
  const { itemSize } = typeNamed(dtype);
  const bits = 8 * itemSize;
  // Shorter keys than their type must not have ones above them: these digits would never be looked at, but compared.
  const all = itemSize < 4 ? ` & ${2 ** bits - 1}u` : "";
  switch (kindOf(dtype)) {
    case 0:
      return `key_t key_of(const item_t item) { return item ${descending ? "==" : "!="} 0; }`;
    case 1:
      return `key_t key_of(const item_t item) { return ${turned}(key_t)item${all}; }`;
    case 2: {
      const sign = itemSize === 8 ? "0x8000000000000000ul" : `${2 ** (bits - 1)}u`;
      return `key_t key_of(const item_t item) { return ${turned}((key_t)item ^ ${sign})${all}; }`;
    }
    case 3:
      return `${realKey(dtype, turned)}
key_t key_of(const item_t item) { return real_key(item); }`;
    case 4:
      return complexKey(dtype, turned);
    default:
      throw new Error(`${dtype} has no order`);
  }
}

/**
 * IEEE numbers are ordered by sign and magnitude, which is added to the middle or taken from it: so both zeros have one key.
 * Every NaN has the last one, which leaves room between it and infinity. There are no branches, which would be guessed wrong.
 */
function realKey(dtype: DTypeName, turned: string): string {
  const [type, signed, all, middle, infinity, shift] = {
    float16: ["uint", "int", "0xffffu", "0x8000u", "0x7c00u", "(bits << 16)"],
    float32: ["uint", "int", "0xffffffffu", "0x80000000u", "0x7f800000u", "bits"],
    float64: ["ulong", "long", "0xfffffffffffffffful", "0x8000000000000000ul", "0x7ff0000000000000ul", "bits"],
  }[dtype as "float16" | "float32" | "float64"] as [string, string, string, string, string, string];
  const top = type === "ulong" ? 63 : 31;
  return `
${type} real_key(const ${type} bits) {
  const ${type} magnitude = bits & (${all} ^ ${middle});
  // All ones for negative numbers.
  const ${type} sign = (${type})((${signed})${shift} >> ${top});
  const ${type} key = ${middle} + ((magnitude ^ sign) - sign);
  return magnitude > ${infinity} ? ${all} : ${turned}key & ${all};
}`;
}

/**
 * By the real part, then by the imaginary one. Behind all of them come those with NaN in the imaginary part, ordered by the
 * real one, then those with NaN in the real part, ordered by the imaginary one, and then those with two, as in NumPy.
 */
function complexKey(dtype: DTypeName, turned: string): string {
  const real = realOf(dtype);
  const wide = real === "float64";
  const type = wide ? "ulong" : "uint";
  const nan = wide ? "0xfffffffffffffffful" : "0xffffffffu";
  const join = (upper: string, lower: string): string =>
    wide ? `(ulong2)(${upper}, ${lower})` : `((ulong)(${upper}) << 32 | (${lower}))`;
  return `${realKey(real, turned)}
key_t key_of(const item_t item) {
  const ${type} re = real_key(item.x);
  const ${type} im = real_key(item.y);
  if (re != ${nan} && im != ${nan}) return ${join("re", "im")};
  if (re != ${nan}) return ${join(`${nan} - 2`, "re")};
  return im != ${nan} ? ${join(`${nan} - 1`, "im")} : ${join(nan, nan)};
}`;
}
