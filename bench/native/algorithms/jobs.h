// The jobs of the algorithms of @cl/array, one factory per family.
#pragma once

#include "../array-rig.h"

namespace bench::algorithms {

using namespace bench::array;

std::vector<Job> scanJobs(Rig& rig);
std::vector<Job> sortJobs(Rig& rig);
std::vector<Job> fourierJobs(Rig& rig);
std::vector<Job> productJobs(Rig& rig);
std::vector<Job> randomJobs(Rig& rig);

}  // namespace bench::algorithms
