// The reported version: the only file that differs between variants of the library. Declares what support.h does,
// because including that takes most of the time of a build.
#ifndef FAKE_CL_VERSION
#define FAKE_CL_VERSION 300
#endif

namespace fake {

extern const int opencl_version;
const int opencl_version = FAKE_CL_VERSION;

}  // namespace fake
