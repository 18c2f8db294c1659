/** Creation of arrays of structs and vectors. */
import {
  checkOptions,
  checkShape,
  type Layout,
  type LayoutOptions,
  outOfRange,
  planLayout,
  typeError,
  withArticle,
  wrongValue,
} from "@cl/base";
import {
  type DeviceBuffer,
  type DType,
  type DTypeLike,
  HostView,
  type Nested,
  type Shape,
  type SvmPointer,
} from "@cl/core";
import { checkDType } from "@cl/core/internal";
import { checkArray, isArray } from "../../storage/check-array.js";
import { overMemory } from "../../storage/over-memory.js";
import { checkArrayType } from "../../types/dtype-name.js";
import { RecordArray, unitsOf } from "../../array/record-array.js";
import type { AnyArray } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Functions that create arrays of structs and vectors. */
class RecordFunctions {
  /**
   * Creates an array of a struct or vector type, filled with zero bytes.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const particle = structType("particle", { position: "float3", mass: "float32" });
   * const particles = xp.records(particle, 1000);
   * particles.field("mass").assign(1);
   * particles.field("position").slice("...", 2).assign(-1);
   * console.log(await particles.slice(0).item()); // { position: [ 0, 0, -1 ], mass: 1 }
   * ```
   */
  records(this: Arrays, type: DTypeLike, shape: Shape): RecordArray {
    const own = recordType(type);
    const { unit, count } = unitsOf(own);
    return new RecordArray(this.zeros([...checkShape(shape, "shape"), count], { dtype: unit }), own);
  }

  /** Creates an array of a struct or vector type from nested arrays of values, or from the bytes of a typed array. */
  recordsFrom(this: Arrays, values: Nested | ArrayBufferView, type: DTypeLike): RecordArray {
    const own = recordType(type);
    const { unit, count } = unitsOf(own);
    const view = ArrayBuffer.isView(values) ? bytesOf(values, own) : HostView.from(values, own);
    const bytes = view.toArray();
    const host = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const units = this.fromHost(host, { dtype: unit, shape: [...view.shape, count] });
    return new RecordArray(units, own);
  }

  /**
   * Returns existing memory as an array of a struct or vector type: an array whose last axis has the contiguous bytes
   * of one element, a buffer, or shared virtual memory.
   */
  asRecords(
    this: Arrays,
    source: AnyArray | DeviceBuffer | SvmPointer,
    type: DTypeLike,
    options?: LayoutOptions,
  ): RecordArray {
    const own = recordType(type);
    const { unit, count } = unitsOf(own);
    const units = checkArrayType(unit, "dtype");
    const width = own.itemSize / count;
    const withUnits = ({ shape, strides, offset }: Layout): Layout => ({
      shape: [...shape, count],
      strides: [...strides, width],
      offset,
    });
    if (!isArray(source)) {
      const place = planLayout(
        checkOptions(options, ["shape", "strides", "order", "offset"]),
        own.itemSize,
        source.size,
        "the memory",
      );
      return new RecordArray(asDeviceArray(overMemory(this, source, units, withUnits(place), false)), own);
    }
    const array = checkArray(source, this, "source") as DeviceArray;
    const { shape, strides, offset } = array.operand().layout;
    const bytes = (shape.at(-1) ?? 0) * array.itemSize;
    if (options !== undefined) {
      throw wrongValue("options cannot be combined with an array, which has its own layout");
    }
    if (bytes !== own.itemSize || (strides.at(-1) !== array.itemSize && shape.at(-1) !== 1)) {
      throw outOfRange(
        `the last axis of ${String(array)} must have the ${own.itemSize} contiguous bytes of ${withArticle(own.name)}`,
      );
    }
    const outer = { shape: shape.slice(0, -1), strides: strides.slice(0, -1), offset };
    if ([offset, ...outer.strides].some((distance) => distance % own.alignment !== 0)) {
      throw outOfRange(
        `elements of ${own.name} must be aligned to ${own.alignment} bytes, received strides [${outer.strides.join()}] and offset ${offset}`,
      );
    }
    return new RecordArray(array.view(units, withUnits(outer)), own);
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends RecordFunctions {}
}
addMethods(Arrays, RecordFunctions);

function recordType(value: DTypeLike): DType {
  const type = checkDType(value, "type");
  if (type.kind === "struct" || type.kind === "vector") return type;
  throw typeError("type", "a struct or a vector", type);
}

function bytesOf(values: ArrayBufferView, type: DType): HostView {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return new HostView(bytes, { dtype: type });
}
