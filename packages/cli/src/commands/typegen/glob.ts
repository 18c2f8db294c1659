/** Path patterns (`*`, `**`, `?`, `[…]`, `{a,b}`), for shells that do not expand them. */

/** Whether a text is a pattern. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** Returns the folder that contains all matches of a pattern, with `/` as separator. */
export function globBase(pattern: string): string {
  const names = pattern.split("/");
  const first = names.findIndex(isGlob);
  const base = names.slice(0, first < 0 ? -1 : first).join("/");
  return base === "" ? (pattern.startsWith("/") ? "/" : ".") : base;
}

/** Returns a regular expression for whole paths. `**` matches any number of folders; other wildcards do not match `/`. */
export function globExpression(pattern: string): RegExp {
  let text = "";
  let braces = 0;
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i);
    const set = /^\[(!?)([^\]/\\]+)\]/.exec(rest);
    if (rest.startsWith("**/")) {
      text += "(?:[^/]+/)*";
      i += 2;
    } else if (rest.startsWith("**")) {
      text += ".*";
      i++;
    } else if (rest.startsWith("*")) {
      text += "[^/]*";
    } else if (rest.startsWith("?")) {
      text += "[^/]";
    } else if (set !== null) {
      text += `[${set[1] === "!" ? "^" : ""}${(set[2] as string).replaceAll("^", "\\^")}]`;
      i += set[0].length - 1;
    } else if (rest.startsWith("{") && rest.includes("}")) {
      text += "(?:";
      braces++;
    } else if (rest.startsWith("}") && braces > 0) {
      text += ")";
      braces--;
    } else if (rest.startsWith(",") && braces > 0) {
      text += "|";
    } else {
      text += (pattern[i] as string).replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
    }
  }
  if (braces > 0) throw new Error(`the pattern "${pattern}" has an unmatched {`);
  try {
    return new RegExp(`^${text}$`, "u");
  } catch (error) {
    throw new Error(`the pattern "${pattern}" is invalid`, { cause: error });
  }
}
