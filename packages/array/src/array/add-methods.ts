/**
 * The methods of `DeviceArray` and the functions of `Arrays` are written in classes of one family each, which are never
 * constructed. Each adds itself to the class that users see: its methods by `addMethods`, its types by merging interfaces.
 */

interface Class {
  readonly prototype: object;
}

/** Adds the methods of `family` to `target`. */
export function addMethods(target: Class, family: Class): void {
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(family.prototype);
  Object.defineProperties(target.prototype, methods);
}
