/** The page's script and style. scripts/report-page.mjs generates this module from the files in this folder. */

/** Bundle of main.ts. */
export declare const script: string;

/** Contents of page.css. */
export declare const style: string;
