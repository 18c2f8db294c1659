import { Turns } from "@cl/base";

/** Serializes tunings in a process, since parallel ones would disturb each other's measurements. */
export const turns: Turns = new Turns();
