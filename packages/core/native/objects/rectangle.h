// Boxes of rows and slices for rectangular copies and images. The scratch block has them as 13 numbers: two origins and
// the region (3 each), then row and slice pitch of both sides. The first side is the device's or the source; the second
// is the host's or the target. On the first axis buffers count bytes and images count pixels; pitches are always bytes.
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
      if (!(numbers[i] >= 0 && numbers[i] < 0x1p53)) invalid("expected a box of non-negative numbers");
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

  /// Returns the end of the second side's bytes, as a double so that too large a number does not overflow.
  static double secondEnd(const double* numbers) {
    const double* origin = numbers + 3;
    const double* region = numbers + 6;
    const double row = numbers[11] != 0 ? numbers[11] : region[0];
    const double slice = numbers[12] != 0 ? numbers[12] : row * region[1];
    return origin[0] + region[0] + (origin[1] + region[1] - 1) * row + (origin[2] + region[2] - 1) * slice;
  }
};

}  // namespace cl
