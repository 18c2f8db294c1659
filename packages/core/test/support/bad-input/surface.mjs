/** The public functions, found by reflection: what the table of calls must cover. */

/**
 * Every exported function, constructor, static method, method and setter: by the name that the table uses, with a way to
 * call it. Inherited ones are listed with the class that has them, whether that is exported or not.
 */
export function surface(module) {
  const found = new Map();
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== "function") continue;
    if (isClass(value)) addClass(found, value);
    else found.set(name, (_, args) => value(...args));
  }
  return found;
}

/** Getters of each class: `Class#name`, with what reads it. */
export function getters(module) {
  const found = new Map();
  for (const constructor of classes(module)) {
    for (const { key, get } of members(constructor.prototype)) {
      if (get !== undefined) found.set(`${constructor.name}#${key}`, get);
    }
  }
  return found;
}

/** All classes that are exported, and those that they extend. */
function classes(module) {
  const all = new Set();
  for (const value of Object.values(module)) {
    if (typeof value !== "function" || !isClass(value)) continue;
    for (let one = value; isOurs(one); one = Object.getPrototypeOf(one)) all.add(one);
  }
  return all;
}

function addClass(found, constructor) {
  for (let one = constructor; isOurs(one); one = Object.getPrototypeOf(one)) {
    if (found.has(`new ${one.name}`)) return;
    found.set(`new ${one.name}`, (_, args) => new one(...args));
    for (const { key, value } of members(one)) {
      if (typeof value === "function") found.set(`${one.name}.${key}`, (_, args) => value.apply(one, args));
    }
    for (const { key, value, set } of members(one.prototype)) {
      const name = `${one.name}#${key}`;
      if (typeof value === "function") found.set(name, (self, args) => value.apply(self, args));
      if (set !== undefined) found.set(`${name}=`, (self, args) => set.apply(self, args));
    }
  }
}

const builtIn = new Set(["constructor", "prototype"]);

function members(object) {
  return Reflect.ownKeys(object)
    .filter((key) => !builtIn.has(key))
    .map((key) => ({
      key: typeof key === "symbol" ? key.toString() : key,
      ...Object.getOwnPropertyDescriptor(object, key),
    }));
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

function isOurs(value) {
  return typeof value === "function" && isClass(value);
}
