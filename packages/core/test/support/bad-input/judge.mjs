/** Whether a wrong call ended as it should: with an error of ours that names the argument. */
import { DisposedError, NotSupportedError, OpenCLError } from "@cl/core";

import { Environment } from "./environment.mjs";
import { isPlain } from "./values.mjs";

/** What V8 and Node say of what only pretends to be an object of a class. */
const pretended = /private member|from an object whose class|incompatible receiver|Value of "this"|Receiver/;
/** What V8 says of arrays without their memory, and of subclasses that tell wrong lengths. */
const engines = /on a detached ArrayBuffer|^Invalid typed array length/;

/** What is wrong with an outcome; nothing if it is right. */
export function judge({ error }, entry, argument, field, value) {
  const name = argument.replace("?", "");
  const path = field === undefined ? name : `${name}.${field}`;
  if (error === undefined) {
    if (value === "undefined" && (field !== undefined || argument.endsWith("?"))) return undefined;
    if (value === "frozen" || (value === "proxy" && mayBeProxy(entry, argument))) return undefined;
    const legal = entry.legal?.[path] ?? [];
    return legal.includes(value) || legal.includes("any") ? undefined : "was accepted";
  }
  // Where the names are the caller's, another one has a value that is wrong.
  if (value === "unknown name" && entry.legal?.[path]?.includes(value)) return undefined;
  if (value === "unknown name" && !error.message.includes('has no "noSuchOption": ')) {
    return `does not refuse the unknown name: ${error.message}`;
  }
  if (error.message === "evil" && value.startsWith("throwing")) return undefined;
  if (error instanceof DisposedError) return value === "released" ? undefined : `unexpected ${error}`;
  if (error instanceof OpenCLError) {
    return error.status < 0 || entry.fails || error instanceof NotSupportedError ? undefined : `unexpected ${error}`;
  }
  if (!(error instanceof TypeError) && !(error instanceof RangeError)) {
    return `not one of our errors: ${error?.stack ?? error}`;
  }
  if (value === "foreign" && /context/.test(error.message)) return undefined;
  // V8's own words, and Node's, for what only pretends to be one of our objects.
  if (["proxy", "hollow", "prototype"].includes(value) && pretended.test(error.message)) return undefined;
  if (!error.code?.startsWith("ERR_") && !engines.test(error.message)) return `has no code: ${error.stack}`;
  const words = [name, field, ...(entry.words ?? [])].filter((word) => word !== undefined && word !== "0");
  return words.some((word) => error.message.includes(word)) ? undefined : `does not name ${path}: ${error.message}`;
}

function mayBeProxy(entry, argument) {
  const right = entry.args(new Environment())[entry.names.indexOf(argument)];
  return typeof right === "function" || Array.isArray(right) || isPlain(right);
}
