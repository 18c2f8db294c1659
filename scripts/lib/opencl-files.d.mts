/** The plugin that loads OpenCL C files as strings, for Rolldown and Vite. */
export declare function openclFiles(): { readonly name: string };
