// A kernel's declaration as the fake compiler sees it, read with almost no preprocessing.
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
  /** The size that clSetKernelArg must be given; 0 if any size is accepted (structs, unknown types, local memory). */
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

/** Returns the kernels declared in the source, in order. */
std::vector<Signature> parse_signatures(const std::string& source);

}  // namespace fake
