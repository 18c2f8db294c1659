// The jobs of @cl/array, one factory per family.
#pragma once

#include "../array-rig.h"

namespace bench::array {

std::vector<Job> elementwiseJobs(Rig& rig);
std::vector<Job> reductionJobs(Rig& rig);
std::vector<Job> axisJobs(Rig& rig);
std::vector<Job> compactJobs(Rig& rig);
std::vector<Job> copyJobs(Rig& rig);
std::vector<Job> dispatchJobs(Rig& rig);

}  // namespace bench::array
