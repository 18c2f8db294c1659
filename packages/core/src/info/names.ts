// Names of constants by value, for messages and console.log.

type Constants = Readonly<Record<string, number>>;

/**
 * Returns the name of `value` in a group such as `CommandType`. The first match wins, so core names precede aliases.
 */
export function constantName(group: Constants, value: number): string | undefined {
  return Object.keys(group).find((key) => group[key] === value);
}

/** Returns the names of the bits that are set in `value`, in the group's order, each bit once. */
export function flagNames(group: Constants, value: number): string[] {
  // Compared as BigInt, because JavaScript's bit operators support only 32 bits.
  let remaining = BigInt(value);
  return Object.keys(group).filter((key) => {
    const bit = BigInt(group[key] ?? 0);
    const single = bit > 0n && (bit & (bit - 1n)) === 0n;
    if (!single || (remaining & bit) === 0n) return false;
    remaining &= ~bit;
    return true;
  });
}
