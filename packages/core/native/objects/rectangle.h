// Boxes of rows and slices, as rectangular copies and images use them. They come in the scratch block as 13 numbers:
// origin, origin, region (3 each), then two row and slice pitches. The first side is a device's; the second is the
// host's, or the target's. Buffers count bytes along the first axis, images pixels; pitches are always bytes.
#pragma once

#include "napi/call.h"

namespace cl {

struct Rectangle {
  size_t first[3];
  size_t second[3];
  size_t region[3];
  size_t firstRow, firstSlice, secondRow, secondSlice;

  explicit Rectangle(const double* numbers) {
    for (size_t i = 0; i < 13; ++i) {
      if (!(numbers[i] >= 0 && numbers[i] < 0x1p53)) invalid("a box of byte counts was expected");
    }
    for (size_t i = 0; i < 3; ++i) {
      first[i] = static_cast<size_t>(numbers[i]);
      second[i] = static_cast<size_t>(numbers[3 + i]);
      region[i] = static_cast<size_t>(numbers[6 + i]);
    }
    firstRow = static_cast<size_t>(numbers[9]);
    firstSlice = static_cast<size_t>(numbers[10]);
    secondRow = static_cast<size_t>(numbers[11]);
    secondSlice = static_cast<size_t>(numbers[12]);
  }

  /// The bytes that the second side reaches into, in doubles: too large a number then stays too large.
  static double secondEnd(const double* numbers) {
    const double* origin = numbers + 3;
    const double* region = numbers + 6;
    const double row = numbers[11] != 0 ? numbers[11] : region[0];
    const double slice = numbers[12] != 0 ? numbers[12] : row * region[1];
    return origin[0] + region[0] + (origin[1] + region[1] - 1) * row + (origin[2] + region[2] - 1) * slice;
  }
};

}  // namespace cl
