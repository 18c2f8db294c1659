/** Which parameter of a function of the sources is called `options`; -1 if none is. */
export function placeOfOptions(method: (...args: never[]) => unknown): number {
  const [, parameters = ""] = /\(([^)]*)\)/u.exec(String(method)) ?? [];
  return parameters.split(",").findIndex((one) => /^\s*options\b/u.test(one));
}
