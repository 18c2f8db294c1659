/** Colors of what is drawn, from the style sheet where it has them. */

/** The colors of the theme that is on. */
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

/** Asks the style sheet. */
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
 * A group's color, of the same lightness for all, so that none stands out, and with enough contrast on light and dark. The
 * golden angle keeps neighbours apart; the reds are left for failures.
 */
export function groupColor(group: number): string {
  const hue = 50 + ((group * 137.508 + 195) % 300);
  // A second round differs in lightness, too.
  const lightness = [0.68, 0.76, 0.62][Math.floor(group / 8) % 3] as number;
  return `oklch(${lightness} 0.115 ${hue.toFixed(1)})`;
}
