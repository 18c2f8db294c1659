/** The plugin that generates `./page/bundle.js`, for Rolldown and Vite. */
export declare function reportPage(): { readonly name: string };
