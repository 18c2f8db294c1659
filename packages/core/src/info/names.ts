// Names of constants from their values, for messages and for what console.log prints.

type Constants = Readonly<Record<string, number>>;

/** Name of `value` in a group such as `CommandType`: the first that has it, so that a core name wins over an alias. */
export function constantName(group: Constants, value: number): string | undefined {
  return Object.keys(group).find((key) => group[key] === value);
}

/** Names of the single bits of a bit-field that are set in `value`, in the group's order, each bit once. */
export function flagNames(group: Constants, value: number): string[] {
  // Bits are compared as BigInt: JavaScript's own operators keep only 32 of them.
  let left = BigInt(value);
  return Object.keys(group).filter((key) => {
    const bit = BigInt(group[key] ?? 0);
    const single = bit > 0n && (bit & (bit - 1n)) === 0n;
    if (!single || (left & bit) === 0n) return false;
    left &= ~bit;
    return true;
  });
}
