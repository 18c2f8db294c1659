export const emptySource = "__kernel void nothing() {}";
