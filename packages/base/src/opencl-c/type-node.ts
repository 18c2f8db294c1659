/** Unresolved types of declarations. */

/** An unresolved type. Unsupported types are `undefined`. */
export type TypeNode =
  /** A built-in type in its short form, such as `uint`, or a typedef name. */
  | { readonly kind: "name"; readonly name: string }
  /** `struct particle`, `union word` or `enum mode`, defined elsewhere. */
  | { readonly kind: "tag"; readonly tag: string }
  | RecordNode
  | { readonly kind: "enum"; readonly type: "int" | "uint" }
  | { readonly kind: "vector"; readonly of: TypeNode; readonly width: number }
  | { readonly kind: "array"; readonly of: TypeNode; readonly length: number }
  | { readonly kind: "pointer" };

/** A struct or union with its members. */
export interface RecordNode {
  readonly kind: "record";
  readonly isUnion: boolean;
  readonly isPacked: boolean;
  /** Types of the members; `undefined` if one of them is unsupported. */
  readonly members: readonly TypeNode[] | undefined;
}
