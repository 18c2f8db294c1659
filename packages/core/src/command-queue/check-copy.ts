/** Whether a copy or a fill can be enqueued, for those who make it long before. */
import { checkOptions } from "@cl/base";

import { handleOf } from "../binding/resource.js";
import { checkColor, type Color } from "../image/color.js";
import { checkCopyImage } from "../image/image-copy.js";
import { pixelBox, type PixelBoxOptions } from "../image/image-box.js";
import { Image } from "../image/image.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { checkCopyEnds } from "../transfer/copy.js";
import type { CopyOptions } from "../transfer/copy-options.js";
import type { CopyEnd } from "../transfer/copy-side.js";
import { type FillPattern, fillRange } from "../transfer/fill.js";

/** Throws what `queue.enqueueCopy` would throw, but for what only its queue knows. */
export function checkCopy(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): void {
  if (target instanceof Image || source instanceof Image) checkCopyImage(target, source, options);
  else checkCopyEnds(target, source, options);
}

/** Throws what `queue.enqueueFill` would throw for an image, but for what only its queue knows. */
export function checkImageFill(image: Image, color: Color, options?: PixelBoxOptions): void {
  handleOf(image);
  checkColor(image.format, color);
  pixelBox(image, checkOptions(options, ["origin", "region"]));
}

/** Throws what `queue.enqueueFill` or `enqueueSvmFill` would throw, but for what only its queue knows. */
export function checkFill(
  memory: DeviceBuffer | SvmPointer,
  pattern: FillPattern,
  range?: { readonly offset?: number; readonly bytes?: number },
): void {
  handleOf(memory);
  const given = checkOptions(range, ["offset", "bytes"]);
  fillRange(memory, pattern, given, memory instanceof SvmPointer ? "memory" : "buffer");
}
