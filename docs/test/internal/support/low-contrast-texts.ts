/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Returns texts with a contrast ratio below 4.5. Runs in the page. */
export function lowContrastTexts(): string[] {
  const canvas = document
    .createElement("canvas")
    .getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  const channels = (color: string): number[] => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const over = (top: number[], below: number[]): number[] => {
    const a = (top[3] as number) / 255;
    return [0, 1, 2].map((i) => (top[i] as number) * a + (below[i] as number) * (1 - a)).concat(255);
  };
  const backgroundOf = (element: Element | null): number[] => {
    if (element === null) return [255, 255, 255, 255];
    const own = channels(getComputedStyle(element).backgroundColor);
    return own[3] === 255 ? own : over(own, backgroundOf(element.parentElement));
  };
  const luminance = (rgb: number[]): number => {
    const [r = 0, g = 0, b = 0] = rgb.map((c) =>
      c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const hasText = (node: Node): boolean => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "";
  const page = [
    ".vp-doc p",
    ".vp-doc li",
    ".vp-doc td",
    ".vp-doc th",
    ".vp-doc a",
    ".vp-doc code",
    ".vp-doc code span",
  ];
  const around = [".vp-doc h1", ".vp-doc h2", ".VPSidebar a", ".VPNav a", ".VPDocAsideOutline a"];
  const pale = new Map<string, string>();
  for (const element of document.querySelectorAll([...page, ...around].join())) {
    if (!element.checkVisibility() || ![...element.childNodes].some(hasText)) continue;
    const background = backgroundOf(element);
    const { color } = getComputedStyle(element);
    const both = [luminance(over(channels(color), background)), luminance(background)];
    const ratio = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    const what = `${element.tagName} "${element.textContent?.slice(0, 30)}" ${ratio.toFixed(2)}`;
    if (ratio < 4.5) pale.set(`${color} on ${background.join()}`, what);
  }
  return [...pale].map(([colors, example]) => `${example}: ${colors}`);
}
