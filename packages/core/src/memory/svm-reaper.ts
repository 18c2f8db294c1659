/**
 * Frees released memory when the commands that use it have ended. The native side says when there is such memory
 * (native/objects/svm_memory.h has the rules); it is then looked after by a timer, often at first, which never keeps the process
 * alive. What is left when the process ends is freed with the rest.
 */
import { listen } from "../binding/completion.js";
import { native } from "../binding/native.js";

const mostEvery = 1000;
let listening = false;
let looking: NodeJS.Timeout | undefined;
let nextIn = 1;

/** To be called before the first allocation. */
export function listenForReleases(): void {
  if (listening) return;
  native.svmListen(listen(begin));
  listening = true;
}

function begin(): void {
  clearTimeout(looking);
  nextIn = 1;
  look();
}

function look(): void {
  const left = native.svmReap();
  looking = left === 0 ? undefined : setTimeout(look, nextIn).unref();
  nextIn = Math.min(2 * nextIn, mostEvery);
}
