// Declarations shared by the creation and the build of programs.
#pragma once

#include "objects.h"

namespace fake {

/** First word of a binary, which is followed by the binary type as a digit and the source. */
inline constexpr std::string_view binary_magic = "FAKEBIN";

/** First word of a SPIR-V module; the rest is read as source text. */
inline constexpr cl_uint spirv_magic = 0x07230203;

/** Returns the program's binary; empty unless it is built. */
std::string binary_of(const _cl_program& program);

/** Creates a program for all devices of the context. */
cl_program make_program(_cl_context& context);

/** Creates a program from an intermediate language, for several entry points. */
cl_program program_from_il(cl_context context, const void* il, std::size_t length);

}  // namespace fake
