/** The page's program and its style as text. scripts/report-page.mjs makes this module of the files beside it. */

/** The bundle of main.ts. */
export declare const script: string;

/** page.css. */
export declare const style: string;
