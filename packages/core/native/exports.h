// What JavaScript can call: each file adds its functions to one list, which the addon hands over.
#pragma once

#include "napi/call.h"

namespace cl {

// objects/
void addPlatformExports(Exports& exports);
void addInfoExports(Exports& exports);
void addContextExports(Exports& exports);
void addQueueExports(Exports& exports);
void addEventExports(Exports& exports);
void addMemoryObjectExports(Exports& exports);
void addBufferExports(Exports& exports);
void addImageExports(Exports& exports);
void addSamplerExports(Exports& exports);
void addPipeExports(Exports& exports);
void addSemaphoreExports(Exports& exports);
void addExternalMemoryExports(Exports& exports);
void addSvmExports(Exports& exports);
void addProgramExports(Exports& exports);
void addKernelExports(Exports& exports);
void addLendingExports(Exports& exports);
void addAdoptExports(Exports& exports);

// commands/
void addTransferExports(Exports& exports);
void addImageTransferExports(Exports& exports);
void addSvmTransferExports(Exports& exports);
void addMapExports(Exports& exports);
void addStagingExports(Exports& exports);
void addLaunchExports(Exports& exports);
void addListExports(Exports& exports);
void addCommandBufferExports(Exports& exports);
void addHostFunctionExports(Exports& exports);
void addNativeKernelExports(Exports& exports);

// profiling/
void addStatisticsExports(Exports& exports);
void addTraceExports(Exports& exports);

}  // namespace cl
