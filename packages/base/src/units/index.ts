/** The exports of `@cl/base/units`, a separate entry because the launcher's report also runs it in the browser. */
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
