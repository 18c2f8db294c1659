import { SerialQueue } from "@cl/base";

/** Serializes tunings in a process, since parallel ones would disturb each other's measurements. */
export const tuningQueue: SerialQueue = new SerialQueue();
