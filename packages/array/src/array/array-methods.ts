/** The base of classes with methods of arrays; see add-methods.ts. */
import type { ArrayRef } from "../storage/array-ref.js";
import type { DTypeName } from "../types/dtype-name.js";

/** An array, as algorithms know it. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- no instances: the methods are called on arrays
export interface ArrayMethods<D extends DTypeName> extends ArrayRef<D> {}

/** Methods of arrays. */
// oxlint-disable-next-line typescript/no-extraneous-class, typescript/no-unnecessary-type-parameters, eslint/no-unused-vars -- see above
export abstract class ArrayMethods<D extends DTypeName> {}
