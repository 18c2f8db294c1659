/**
 * Frees released SVM once the commands that use it have completed. The native side reports when such memory exists
 * (rules: native/objects/svm_memory.h); a timer with growing intervals then polls it and does not keep the process
 * alive. Memory left at process exit is freed with the process.
 */
import { listen } from "../binding/completion.js";
import { native } from "../binding/native.js";

const maxDelay = 1000;
let listening = false;
let timer: NodeJS.Timeout | undefined;
let delay = 1;

/** Starts listening for released memory. Call before the first allocation. */
export function listenForReleases(): void {
  if (listening) return;
  native.svmListen(listen(startPolling));
  listening = true;
}

function startPolling(): void {
  clearTimeout(timer);
  delay = 1;
  poll();
}

function poll(): void {
  const remaining = native.svmReap();
  timer = remaining === 0 ? undefined : setTimeout(poll, delay).unref();
  delay = Math.min(2 * delay, maxDelay);
}
