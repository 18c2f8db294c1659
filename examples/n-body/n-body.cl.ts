/** The kernels. Each work-item computes one body, whose position and mass are one float4. */
export const nBodySource = /* opencl */ `
  /* Accelerates each body by the gravity of all bodies. Each group loads them into local memory tile by tile, so it reads
     global memory once per group instead of once per body. */
  __kernel void kick(__global const float4 *bodies, __global float4 *velocities, __local float4 *tile, float softening,
                     float dt) {
    const size_t me = get_local_id(0), width = get_local_size(0);
    const float4 here = bodies[get_global_id(0)];
    float3 pull = 0;
    for (size_t first = 0; first < get_global_size(0); first += width) {
      tile[me] = bodies[first + me];
      barrier(CLK_LOCAL_MEM_FENCE); /* the tile is complete */
      for (size_t j = 0; j < width; j++) {
        const float3 way = tile[j].xyz - here.xyz;
        const float square = dot(way, way) + softening * softening;
        pull += tile[j].w / (square * sqrt(square)) * way;
      }
      barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tile */
    }
    velocities[get_global_id(0)].xyz += dt * pull;
  }

  __kernel void drift(__global float4 *bodies, __global const float4 *velocities, float dt) {
    const size_t i = get_global_id(0);
    bodies[i].xyz += dt * velocities[i].xyz;
  }` as const;
