/** Numbers with units. */

const binary = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** `1536` as `1.5 KiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(binary.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${value >= 100 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1)} ${binary[power]}`;
}
