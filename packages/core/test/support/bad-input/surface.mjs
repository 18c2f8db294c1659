/** The public functions, found by reflection. The call tables must cover them. */

/**
 * Returns every exported function, constructor, static method, method and setter by its name in the call tables, with a
 * function that calls it. Inherited members are listed under the class that declares them, even if it is not exported.
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

/** Returns the getters of each class by `Class#name`. */
export function getters(module) {
  const found = new Map();
  for (const constructor of classes(module)) {
    for (const { key, get } of members(constructor.prototype)) {
      if (get !== undefined) found.set(`${constructor.name}#${key}`, get);
    }
  }
  return found;
}

/** Returns all exported classes and their base classes. */
function classes(module) {
  const all = new Set();
  for (const value of Object.values(module)) {
    if (typeof value !== "function" || !isClass(value)) continue;
    for (let one = value; isUserClass(one); one = Object.getPrototypeOf(one)) all.add(one);
  }
  return all;
}

function addClass(found, constructor) {
  for (let one = constructor; isUserClass(one); one = Object.getPrototypeOf(one)) {
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

function isUserClass(value) {
  return typeof value === "function" && isClass(value);
}
