/** Launch shapes. */

/** Kind of a kernel: independent items, all items to one result, or a prefix result per item. */
export type KernelKind = "elementwise" | "reduction" | "scan";

/**
 * How a kernel's work-items divide the items. `"single"`: one item per work-item, at its global id. `"chunk"`:
 * `itemsPerWorkItem` contiguous items per work-item. `"grid-stride"`: vectors starting at the global id with a stride
 * of the global size.
 */
export type LoopForm = "single" | "chunk" | "grid-stride";

/** Sizes of a launch. It can be passed to `kernel.launch`. */
export interface LaunchShape {
  /** Number of items. */
  readonly n: number;
  readonly kind: KernelKind;
  readonly form: LoopForm;
  /** Number of work-items; 0 if there are no items to process. */
  readonly global: number;
  /** Work-group size. */
  readonly local: number;
  /** Number of work-groups. */
  readonly groups: number;
  /** Maximum number of items per work-item; the chunk length of kernels in the `"chunk"` form. */
  readonly itemsPerWorkItem: number;
  /** Number of consecutive items per vector load. */
  readonly vectorWidth: number;
  /** Allows launches of 0 work-items. */
  readonly allowEmpty: true;
}
