/** Wrong argument values, each as [name, factory]. Factories receive the environment and the valid value. */

const detached = () => {
  const array = Float32Array.of(1, 2, 3, 4);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
};

/** A typed array that reports a wrong length, which would let a driver read out of bounds. */
class Liar extends Float32Array {
  get byteLength() {
    return 2 ** 20;
  }
  get length() {
    return 2 ** 18;
  }
}

const evil = () => {
  throw new Error("evil");
};

/** Returns a proxy whose traps all throw. */
const throwing = () =>
  new Proxy({}, { get: evil, has: evil, ownKeys: evil, getPrototypeOf: evil, getOwnPropertyDescriptor: evil });

/** Returns the valid options with one getter that throws. */
function withThrowingField(right) {
  const keys = isData(right) ? Object.keys(right) : [];
  return keys.length === 0
    ? undefined
    : Object.defineProperty({ ...right }, keys.at(-1), { get: evil, enumerable: true });
}

const plain = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["NaN", () => NaN],
  ["-1", () => -1],
  ["0", () => 0],
  ["1.5", () => 1.5],
  ["2**31", () => 2 ** 31],
  ["2**53", () => 2 ** 53],
  ["1e300", () => 1e300],
  ["-Infinity", () => -Infinity],
  ["empty string", () => ""],
  ["x", () => "x"],
  ["NUL", () => "\0"],
  ["symbol", () => Symbol("s")],
  ["5n", () => 5n],
  ["-1n", () => -1n],
  ["2n**70n", () => 2n ** 70n],
  ["true", () => true],
  ["{}", () => ({})],
  ["[]", () => []],
  ["[null]", () => [null]],
  ["[NaN]", () => [NaN]],
  ["function", () => () => undefined],
  ["Date", () => new Date(0)],
  ["Map", () => new Map([[1, 2]])],
  ["promise", () => Promise.resolve(1)],
  ["huge array", () => Array.from({ length: 100_000 }, () => null)],
  ["Float64Array", () => Float64Array.of(1)],
  ["empty Uint8Array", () => new Uint8Array(0)],
  ["ArrayBuffer", () => new ArrayBuffer(16)],
  ["DataView", () => new DataView(new ArrayBuffer(16))],
  ["SharedArrayBuffer", () => new Uint8Array(new SharedArrayBuffer(16))],
  ["resizable", () => new Float32Array(new ArrayBuffer(16, { maxByteLength: 64 }))],
  ["detached", detached],
  ["liar", () => new Liar(4)],
  ["throwing", throwing],
];

const dependent = [
  ["released", (environment, right) => environment.released(right)],
  ["foreign", (environment, right) => environment.foreign(right)],
  ["throwing field", (environment, right) => withThrowingField(right)],
  ["platform", (environment) => environment.platform],
  ["device", (environment) => environment.device],
  ["context", (environment) => environment.context],
  ["queue", (environment) => environment.queue],
  ["buffer", (environment) => environment.bytes],
  ["local memory", (environment) => environment.local],
  ["class", (environment, right) => (typeof right === "function" ? undefined : right?.constructor)],
  ["prototype", (environment, right) => (isInstance(right) ? Object.getPrototypeOf(right) : undefined)],
  ["hollow", (environment, right) => (isInstance(right) ? Object.create(Object.getPrototypeOf(right)) : undefined)],
  ["proxy", (environment, right) => (isObject(right) ? new Proxy(right, {}) : undefined)],
  ["unknown name", (environment, right) => (isPlain(right) ? { ...right, noSuchOption: 1 } : undefined)],
  ["frozen", (environment, right) => (isData(right) ? Object.freeze(structuredCopy(right)) : undefined)],
];

const makers = new Map([...plain, ...dependent]);

/** The names of all values. */
export const valueNames = [...makers.keys()];

/** Returned by {@link badValue} if there is no such value for an argument. */
export const missing = Symbol("missing");

/** Returns the named value, to replace the valid value `right`. */
export function badValue(name, environment, right) {
  const value = makers.get(name)(environment, right);
  const same = name !== "class" && Object.is(value, right);
  return same || (value === undefined && name !== "undefined") ? missing : value;
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Returns whether a value is an instance of a class. */
function isInstance(value) {
  return typeof value === "object" && value !== null && !isData(value);
}

function isData(value) {
  return Array.isArray(value) || isPlain(value);
}

/** Returns whether a value is a plain object. */
export function isPlain(value) {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function structuredCopy(value) {
  return Array.isArray(value) ? [...value] : { ...value };
}
