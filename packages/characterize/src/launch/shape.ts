/** What a launch shape is. */

/** What a kernel does with its items: each for itself, all to one, or all those before each. */
export type KernelKind = "elementwise" | "reduction" | "scan";

/**
 * How a kernel's work-items divide the items. `"single"`: one each, by its number, if there is one. `"chunk"`:
 * `itemsPerWorkItem` side by side. `"grid-stride"`: one vector, and every further one that lies a multiple of the global
 * size away.
 */
export type LoopForm = "single" | "chunk" | "grid-stride";

/** Sizes of a launch; `kernel.launch` takes it as it is. */
export interface LaunchShape {
  /** Items. */
  readonly n: number;
  readonly kind: KernelKind;
  readonly form: LoopForm;
  /** Work-items; 0 where there is nothing to do. */
  readonly global: number;
  /** Work-items of a group. */
  readonly local: number;
  readonly groups: number;
  /** The most items of one work-item; what kernels in the `"chunk"` form take as its length. */
  readonly itemsPerWorkItem: number;
  /** Consecutive items that are loaded at once. */
  readonly vectorWidth: number;
  /** So that a launch of nothing is one. */
  readonly allowEmpty: true;
}
