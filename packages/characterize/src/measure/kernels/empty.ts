/** Source of an empty kernel. */
export const emptySource = "__kernel void nothing() {}";
