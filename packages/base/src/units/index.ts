/** `@cl/base/units`: apart from the rest, since it also runs in the browser, in the launcher's report. */
export {
  absent,
  byteUnit,
  formatBytes,
  formatCompact,
  formatCount,
  formatRate,
  formatShare,
  formatTime,
  timeUnit,
  type Unit,
} from "./units.js";
