/** The kernel that does nothing. */
export const emptySource = "__kernel void nothing() {}";
