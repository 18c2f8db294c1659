/** The kernel. Each work-item computes one pixel. */
export const mandelbrotSource = /* opencl */ `
  /* Without fused multiply-add, all devices compute bit-identical orbits. */
  #pragma OPENCL FP_CONTRACT OFF

  /* Number of steps of z = z * z + c after which a point escapes; 0 if it does not within the limit. */
  __kernel void mandelbrot(__global float *steps, float2 corner, float pixel, uint limit) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    const float2 c = (float2)(corner.x + pixel * x, corner.y - pixel * y);
    float2 z = 0;
    uint n = 0;
    while (n < limit && z.x * z.x + z.y * z.y < 65536) {
      z = (float2)(z.x * z.x - z.y * z.y + c.x, 2 * z.x * z.y + c.y);
      n++;
    }
    /* Far away, each step squares |z|. The fraction of a step to the border makes the colors smooth. */
    steps[y * get_global_size(0) + x] = n < limit ? n + 4 - log2(log2(dot(z, z))) : 0;
  }` as const;
