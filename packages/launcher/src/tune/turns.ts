import { Turns } from "@cl/base";

/** One tuning at a time in a process: two at once would measure each other. */
export const turns: Turns = new Turns();
