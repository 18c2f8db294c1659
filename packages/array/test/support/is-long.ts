/**
 * True with CL_TEST_LONG=1, for all cases of the comparisons with NumPy. Without it they take a part of them, since nearly
 * each case is a kernel to build.
 */
export const isLong: boolean = process.env["CL_TEST_LONG"] === "1";
