// Declarations shared by the creation and the building of programs.
#pragma once

#include "objects.h"

namespace fake {

/** The fake's binary format: this word, the binary type as a digit, then the source. */
inline constexpr std::string_view binary_magic = "FAKEBIN";

/** The first word of a SPIR-V module; the fake reads the rest of a module as source text. */
inline constexpr cl_uint spirv_magic = 0x07230203;

/** Returns the program's binary, or nothing if it is not built. */
std::string binary_of(const _cl_program& program);

/** Creates a program for all devices of a context. */
cl_program make_program(_cl_context& context);

/** Creates a program from intermediate language, for all entry points that do so. */
cl_program program_from_il(cl_context context, const void* il, std::size_t length);

}  // namespace fake
