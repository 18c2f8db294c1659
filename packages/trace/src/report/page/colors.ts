/** Colors of drawings, taken from the style sheet where possible. */

/** Colors of the current theme. */
export interface Colors {
  readonly card: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly stripe: string;
  readonly accent: string;
  readonly failed: string;
  readonly onBar: string;
  readonly font: string;
}

/** Reads the colors from the style sheet. */
export function themeColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    card: value("card"),
    ink: value("ink"),
    muted: value("muted"),
    line: value("line"),
    stripe: value("stripe"),
    accent: value("accent"),
    failed: value("failed"),
    onBar: value("on-bar"),
    font: value("font"),
  };
}

/**
 * Returns a group's color. All have similar lightness and enough contrast on light and dark backgrounds. The golden angle
 * separates adjacent hues. Reds are reserved for failures.
 */
export function groupColor(group: number): string {
  const hue = 50 + ((group * 137.508 + 195) % 300);
  // Repeated hues also differ in lightness.
  const lightness = [0.68, 0.76, 0.62][Math.floor(group / 8) % 3] as number;
  return `oklch(${lightness} 0.115 ${hue.toFixed(1)})`;
}
