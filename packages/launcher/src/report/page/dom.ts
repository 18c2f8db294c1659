/** Finding and making elements. Text is only ever set as text: names come from users. */

/** The element of an id, which the markup has. */
export function byId<T extends Element>(id: string, type: abstract new (...args: never[]) => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${type.name} "${id}"`);
}

/** Attributes, and handlers of clicks. */
export interface Properties {
  readonly [name: string]: string | number | boolean | undefined;
}

/** An element with attributes, and children or text in it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  setAll(made, properties);
  made.append(...children);
  return made;
}

/** The same in SVG. */
export function svg(tag: string, properties: Properties = {}, ...children: readonly (Node | string)[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAll(made, properties);
  made.append(...children);
  return made;
}

/** A button that does something. */
export function button(label: string, act: () => void, properties: Properties = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...properties }, label);
  made.addEventListener("click", act);
  return made;
}

function setAll(made: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? "" : String(value));
  }
}
