/** Checks of copies and fills that are prepared long before they are enqueued. */
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

/** Throws if `queue.enqueueCopy` would throw for a reason that does not depend on the queue. */
export function checkCopy(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): void {
  if (target instanceof Image || source instanceof Image) checkCopyImage(target, source, options);
  else checkCopyEnds(target, source, options);
}

/** Throws if `queue.enqueueFill` would throw for an image, for a reason that does not depend on the queue. */
export function checkImageFill(image: Image, color: Color, options?: PixelBoxOptions): void {
  handleOf(image);
  checkColor(image.format, color);
  pixelBox(image, checkOptions(options, ["origin", "region"]));
}

/** Throws if `queue.enqueueFill` or `enqueueSvmFill` would throw for a reason that does not depend on the queue. */
export function checkFill(
  memory: DeviceBuffer | SvmPointer,
  pattern: FillPattern,
  range?: { readonly offset?: number; readonly bytes?: number },
): void {
  handleOf(memory);
  const checkedRange = checkOptions(range, ["offset", "bytes"]);
  fillRange(memory, pattern, checkedRange, memory instanceof SvmPointer ? "memory" : "buffer");
}
