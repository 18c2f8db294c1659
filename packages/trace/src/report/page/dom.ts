/** Finds and creates elements. Text is inserted as text only, since names are untrusted. */

/** Returns the element with an id. Throws if it is missing. */
export function byId<T extends Element>(id: string, type: abstract new (...args: never[]) => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${type.name} "${id}"`);
}

/** Attributes. */
export interface Properties {
  readonly [name: string]: string | number | boolean | undefined;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  setAttributes(created, properties);
  created.append(...children);
  return created;
}

/** Creates an SVG element. */
export function svg(tag: string, properties: Properties = {}, ...children: readonly (Node | string)[]): SVGElement {
  const created = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(created, properties);
  created.append(...children);
  return created;
}

/** Creates a button. */
export function button(label: string, onClick: () => void, properties: Properties = {}): HTMLButtonElement {
  const created = element("button", { type: "button", ...properties }, label);
  created.addEventListener("click", onClick);
  return created;
}

function setAttributes(created: Element, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    created.setAttribute(name, value === true ? "" : String(value));
  }
}
