/** The plugin that makes `./page/bundle.js`, for Rolldown and Vite. */
export declare function reportPage(): { readonly name: string };
