/** The Python interpreter that NumPy is looked for in: the system's. */
export const python: string = process.env["CL_TEST_PYTHON"] ?? "/usr/bin/python3";
