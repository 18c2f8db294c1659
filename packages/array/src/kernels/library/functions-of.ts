/** Texts of functions by their names, from files whose functions are separated by empty lines. */

/** The name of a paragraph's function: what precedes its parameters, without the `_T` that stands for a type. */
const definition = /(\w+?)(?:_T)?\((?:const |void|[A-Z]\w* )[^;{}]*\) \{/;

/** Returns the functions of a file by name. The first paragraph is the file's comment. */
export function functionsOf(source: string): Readonly<Record<string, string>> {
  const [, ...paragraphs] = source.trimEnd().split("\n\n");
  return Object.fromEntries(
    paragraphs.map((text) => {
      const name = definition.exec(text.replaceAll(/\/\*[^]*?\*\//g, ""))?.[1];
      if (name === undefined) throw new Error(`no function in ${text}`);
      return [name, text];
    }),
  );
}
