/** Index of the parameter called `options` of a function in the sources; -1 if it has none. */
export function placeOfOptions(method: (...args: never[]) => unknown): number {
  const [, parameters = ""] = /\(([^)]*)\)/u.exec(String(method)) ?? [];
  return parameters.split(",").findIndex((one) => /^\s*options\b/u.test(one));
}
