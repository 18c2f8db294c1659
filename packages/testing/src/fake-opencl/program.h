// The parts of a program that its creation and its build share.
#pragma once

#include "objects.h"

namespace fake {

/** The fake's binary format: this word, the binary type as a digit, then the source. */
inline constexpr std::string_view binary_magic = "FAKEBIN";

/** The first word of a SPIR-V module; the fake reads the rest of a module as source text. */
inline constexpr cl_uint spirv_magic = 0x07230203;

/** The program's binary, empty where it is not built. */
std::string binary_of(const _cl_program& program);

/** A program of the context, for all its devices. */
cl_program make_program(_cl_context& context);

/** A program of an intermediate language, whichever entry point asks. */
cl_program program_from_il(cl_context context, const void* il, std::size_t length);

}  // namespace fake
