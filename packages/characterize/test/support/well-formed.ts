/** Returns the reason why a text is not well-formed XML (limited to the features that plots use), or undefined. */
export function xmlFault(text: string): string | undefined {
  const open: string[] = [];
  const token = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy;
  let at = 0;
  let roots = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return `nothing that is known at ${at}: ${text.slice(at, at + 40)}`;
    at = token.lastIndex;
    const [, end, name = "", attributes = "", alone, content] = match;
    if (content !== undefined) {
      if (/&(?!(amp|lt|gt|quot|#39);)/.test(content)) return `a bare & in ${content}`;
      if (open.length === 0 && content.trim() !== "") return "text outside of all elements";
    } else if (end === "/") {
      const opened = open.pop();
      if (opened !== name) return `</${name}> closes <${opened}>`;
    } else {
      if (/&(?!(amp|lt|gt|quot|#39);)/.test(attributes)) return `a bare & in ${attributes}`;
      const names = [...attributes.matchAll(/([\w:-]+)=/g)].map(([, key]) => key);
      if (new Set(names).size < names.length) return `an attribute twice in <${name}${attributes}>`;
      if (open.length === 0) roots++;
      if (alone !== "/") open.push(name);
    }
  }
  if (open.length > 0) return `<${open.at(-1)}> is never closed`;
  return roots === 1 ? undefined : `${roots} roots`;
}
