// The OpenCL version, which is the only source that differs between variants of the library.
#include "support.h"

#ifndef FAKE_CL_VERSION
#define FAKE_CL_VERSION 300
#endif

namespace fake {

const int opencl_version = FAKE_CL_VERSION;

}  // namespace fake
