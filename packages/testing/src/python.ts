/** Python interpreter with NumPy. @defaultValue the system's */
export const python: string = process.env["CL_TEST_PYTHON"] ?? "/usr/bin/python3";
