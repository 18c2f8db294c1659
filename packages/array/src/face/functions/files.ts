/** Reading and writing of files. */
import {
  checkBoolean,
  checkOptions,
  checkShape,
  checkSignal,
  checkString,
  typeError,
  wrongType,
  wrongValue,
} from "@cl/base";
import { type DType, type DTypeLike, DType as Type, dtype as typeOf, type Shape } from "@cl/core";
import { RecordArray } from "../../array/record-array.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../../types/dtype-name.js";
import { writeAtomically } from "@cl/base/files";
import { badFile } from "../../files/bad-file.js";
import { loadNpy, saveNpy } from "../../files/npy.js";
import { NpyFile, NpyWriter } from "../../files/npy-file.js";
import { loadNpz, saveNpz } from "../../files/npz.js";
import { checkPath, type Path } from "../../files/path.js";
import { type PictureOptions, pictureOf } from "../../files/picture.js";
import { checkStored } from "../../files/transfer.js";
import type { ReadOptions } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Options of `load`. */
export interface LoadOptions<D extends DTypeName> extends ReadOptions {
  /**
   * Dtype to convert the elements to.
   * @defaultValue that of the file
   */
  readonly dtype?: D | TypedDType<D>;
}

/** Options of `saveNpz`. */
export interface SaveNpzOptions extends ReadOptions {
  /**
   * Whether to compress the arrays.
   * @defaultValue false
   */
  readonly compressed?: boolean;
}

/** Options of `loadNpz`. */
export interface LoadNpzOptions extends ReadOptions {
  /**
   * Names of the arrays to load.
   * @defaultValue all
   */
  readonly names?: readonly string[];
}

/** Options of `createNpy`. */
export interface CreateNpyOptions {
  /**
   * Shape of a row.
   * @defaultValue a single element
   */
  readonly rowShape?: Shape;
  /**
   * Dtype of the elements, or a struct type.
   * @defaultValue "float64"
   */
  readonly dtype?: DTypeLike;
}

/** Functions that read and write files. */
class FileFunctions {
  /**
   * Writes an array, or records, as a NumPy .npy file. The elements are those at the time of the call. An existing file
   * is replaced atomically.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const path = new URL("numbers.npy", folder);
   * await xp.save(path, xp.arange(3));
   * console.log(await (await xp.load(path)).data()); // Float64Array(3) [ 0, 1, 2 ]
   * ```
   */
  async save(this: Arrays, path: Path, array: DeviceArray | RecordArray, options?: ReadOptions): Promise<void> {
    const file = checkPath(path);
    await saveNpy(file, checkStored(array, this, "array"), checkSignal(checkOptions(options, ["signal"]).signal));
  }

  /** Reads an array from a .npy file. */
  async load<D extends DTypeName>(
    this: Arrays,
    path: Path,
    options: LoadOptions<D> & Required<Pick<LoadOptions<D>, "dtype">>,
  ): Promise<DeviceArray<D>>;
  async load(this: Arrays, path: Path, options?: LoadOptions<DTypeName>): Promise<DeviceArray>;
  async load(this: Arrays, path: Path, options?: LoadOptions<DTypeName>): Promise<DeviceArray> {
    const file = checkPath(path);
    const { dtype, signal } = checkOptions(options, ["dtype", "signal"]);
    const type = dtype === undefined ? undefined : checkArrayType(dtype, "options.dtype");
    const array = await loadNpy(this, file, checkSignal(signal));
    if (array instanceof RecordArray) {
      array.release();
      throw badFile(file, "contains records; use loadRecords()");
    }
    if (type === undefined || type === array.dtype) return asDeviceArray(array);
    using own = array;
    return asDeviceArray(own.astype(type));
  }

  /** Reads records from a .npy file of a structured dtype. */
  async loadRecords(this: Arrays, path: Path, options?: ReadOptions): Promise<RecordArray> {
    const file = checkPath(path);
    const array = await loadNpy(this, file, checkSignal(checkOptions(options, ["signal"]).signal));
    if (array instanceof RecordArray) return array;
    array.release();
    throw badFile(file, `contains no records but ${array.dtype.name} elements; use load()`);
  }

  /** Writes several arrays, by name, as a NumPy .npz file. */
  async saveNpz(
    this: Arrays,
    path: Path,
    arrays: Readonly<Record<string, DeviceArray | RecordArray>>,
    options?: SaveNpzOptions,
  ): Promise<void> {
    const file = checkPath(path);
    const { compressed, signal } = checkOptions(options, ["compressed", "signal"]);
    const isCompressed = checkBoolean(compressed, "options.compressed", false);
    if (typeof arrays !== "object" || arrays === null || Object.getPrototypeOf(arrays) !== Object.prototype) {
      throw typeError("arrays", "an object of arrays by name", arrays);
    }
    const entries = Object.entries(arrays).map(([name, array]) => {
      if (name === "" || Buffer.byteLength(name) > 60_000) {
        throw wrongValue("names in arrays must be neither empty nor too long");
      }
      return [name, checkStored(array, this, `arrays[${JSON.stringify(name)}]`)] as const;
    });
    await saveNpz(file, new Map(entries), isCompressed, checkSignal(signal));
  }

  /** Reads the arrays of a .npz file, by name. */
  async loadNpz(
    this: Arrays,
    path: Path,
    options?: LoadNpzOptions,
  ): Promise<Record<string, DeviceArray | RecordArray>> {
    const file = checkPath(path);
    const { names, signal } = checkOptions(options, ["names", "signal"]);
    if (names !== undefined && !Array.isArray(names)) throw typeError("options.names", "a list of names", names);
    for (const [i, name] of (names ?? []).entries()) checkString(name, `options.names[${i}]`);
    return loadNpz(this, file, names, checkSignal(signal));
  }

  /** Opens a .npy file of any size, to read parts of it. */
  async openNpy(this: Arrays, path: Path, options?: ReadOptions): Promise<NpyFile> {
    return NpyFile.open(this, checkPath(path), checkSignal(checkOptions(options, ["signal"]).signal));
  }

  /**
   * Creates a .npy file of any size, to which rows are appended. The file appears when it is closed.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const path = new URL("steps.npy", folder);
   * await using file = await xp.createNpy(path, { rowShape: [3], dtype: "float32" });
   * for (let step = 0; step < 4; step++) await file.append(xp.full([3], step, { dtype: "float32" }));
   * await file.close();
   * console.log((await xp.load(path)).shape); // [ 4, 3 ]
   * ```
   */
  async createNpy(this: Arrays, path: Path, options?: CreateNpyOptions): Promise<NpyWriter> {
    const file = checkPath(path);
    const { rowShape = [], dtype = "float64" } = checkOptions(options, ["rowShape", "dtype"]);
    const shape = checkShape(rowShape, "options.rowShape");
    return NpyWriter.create(this, file, checkStoredType(dtype), shape);
  }

  /**
   * Returns an array as a PNG file: numbers of shape [height, width], mapped to colors, with NaN transparent; or uint8
   * colors of shape [height, width, 3 or 4].
   */
  async toPng(this: Arrays, array: DeviceArray, options?: PictureOptions): Promise<Uint8Array> {
    const own = checkStored(array, this, "array");
    if (own instanceof RecordArray) throw typeError("array", "a DeviceArray", array);
    const given = checkOptions(options, ["colormap", "min", "max", "signal"]);
    return pictureOf(this, own, given, checkSignal(given.signal));
  }

  /** Writes an array as a PNG file; see {@link toPng}. */
  async savePng(this: Arrays, path: Path, array: DeviceArray, options?: PictureOptions): Promise<void> {
    const file = checkPath(path);
    const bytes = await this.toPng(array, options);
    await writeAtomically(file, async (target) => target.append(bytes));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends FileFunctions {}
}
addMethods(Arrays, FileFunctions);

function checkStoredType(value: DTypeLike): DType {
  const type = value instanceof Type ? value : typeOf(value);
  if (type.kind === "struct") return type;
  if (type.kind === "vector") {
    throw wrongType(`options.dtype cannot be the vector ${type.name}; use ${type.base.name} and options.rowShape`);
  }
  return checkArrayType(type, "options.dtype");
}
