/** Types of imported OpenCL C files; scripts/lib/opencl-files.mjs loads them. */
declare module "*.cl" {
  const source: string;
  export default source;
}
