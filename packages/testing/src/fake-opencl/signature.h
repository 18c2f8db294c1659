// Kernel signatures, parsed from the source without preprocessing.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "support.h"

namespace fake {

struct Parameter {
  std::string type;
  std::string name;
  cl_kernel_arg_address_qualifier address = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
  cl_kernel_arg_type_qualifier qualifiers = CL_KERNEL_ARG_TYPE_NONE;
  /** Argument size that clSetKernelArg requires; 0 if any size is accepted (structs, unknown types, local memory). */
  std::size_t size = 0;

  bool is_local() const { return address == CL_KERNEL_ARG_ADDRESS_LOCAL; }
  bool is_sampler() const { return type == "sampler_t"; }
  bool is_mem() const;
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  std::string attributes;
  std::array<std::size_t, 3> required{};
};

/** Returns the signatures of all kernels in the source, in order. */
std::vector<Signature> parse_signatures(const std::string& source);

}  // namespace fake
