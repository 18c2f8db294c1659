/** Types as declarations write them. */

/** A type as it is written. Undefined stands for one that is not understood. */
export type TypeNode =
  /** A built-in type in its short form, such as `uint`, or a name that a typedef gives. */
  | { readonly kind: "name"; readonly name: string }
  /** `struct particle`, `union word` or `enum mode`, declared elsewhere. */
  | { readonly kind: "tag"; readonly tag: string }
  | RecordNode
  | { readonly kind: "enum"; readonly type: "int" | "uint" }
  | { readonly kind: "vector"; readonly of: TypeNode; readonly width: number }
  | { readonly kind: "array"; readonly of: TypeNode; readonly length: number }
  | { readonly kind: "pointer" };

/** A struct or a union with its members. */
export interface RecordNode {
  readonly kind: "record";
  readonly isUnion: boolean;
  readonly isPacked: boolean;
  /** The types of the members; undefined if one of them is not understood. */
  readonly members: readonly TypeNode[] | undefined;
}
