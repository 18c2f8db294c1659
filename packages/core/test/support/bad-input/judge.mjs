/** Checks that a wrong call throws one of the package's errors that names the argument. */
import { DisposedError, NotSupportedError, OpenCLError } from "@cl/core";

import { Environment } from "./environment.mjs";
import { isPlain } from "./values.mjs";

/** Errors of V8 and Node.js for objects that only imitate a class. */
const imitationErrors = /private member|from an object whose class|incompatible receiver|Value of "this"|Receiver/;
/** Errors of V8 for detached arrays and for subclasses with wrong lengths. */
const engineErrors = /on a detached ArrayBuffer|^Invalid typed array length/;

/** Valid values of options that many calls have. */
const alwaysLegal = {
  "options.label": ["empty string", "x", "NUL"],
  "options.waitFor": ["null", "[]"],
  // All options are optional.
  options: ["{}"],
};

/** Returns a description of what is wrong with an outcome, or `undefined`. */
export function judge({ error }, entry, argument, field, value) {
  const name = argument.replace("?", "");
  const path = field === undefined ? name : `${name}.${field}`;
  if (error === undefined) {
    if (value === "undefined" && (field !== undefined || argument.endsWith("?"))) return undefined;
    if (value === "frozen" || (value === "proxy" && mayBeProxy(entry, argument))) return undefined;
    const common = argument === "options?" ? (alwaysLegal[path] ?? []) : [];
    const legal = [...common, ...(entry.legal?.[path] ?? [])];
    return legal.includes(value) || legal.includes("any") ? undefined : "was accepted";
  }
  // If the caller chooses the names, the error is about the value of the unknown name.
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
  if (["proxy", "hollow", "prototype"].includes(value) && imitationErrors.test(error.message)) return undefined;
  if (!error.code?.startsWith("ERR_") && !engineErrors.test(error.message)) return `has no code: ${error.stack}`;
  const accepted = [name, field, ...(entry.otherNames ?? [])].filter((text) => text !== undefined && text !== "0");
  return accepted.some((text) => error.message.includes(text)) ? undefined : `does not name ${path}: ${error.message}`;
}

function mayBeProxy(entry, argument) {
  const right = entry.args(new Environment())[entry.names.indexOf(argument)];
  return typeof right === "function" || Array.isArray(right) || isPlain(right);
}
