// Parts of a buffer that lie over each other, on a driver that cannot give them back.
//
// NVIDIA's driver (580.159) ends the process in clReleaseMemObject once two parts that lie over each other were both
// used by commands, unless the last one used goes first; with three of them no order is safe. Neither waiting for all
// commands nor using a part, or the whole, before its release helps. So there such parts stay for as long as the
// process runs, and with them their whole. A part of the same bytes and flags is the same part again, so that their
// number stays bounded.
#pragma once

#include "napi/call.h"

namespace cl {

/// A part, and what keeps it; handles of it share the record.
struct KeptPart {
  cl_mem memory = nullptr;
  std::shared_ptr<Record> record;
};

/// A part of the whole, with a reference for the caller. Those that lie over it stay for ever, and so does it, then.
KeptPart createKeptPart(const Runtime& runtime, cl_mem whole, cl_mem_flags flags, const cl_buffer_region& region);

/// Whether any part of this process stays for ever.
bool partsStay();

}  // namespace cl
