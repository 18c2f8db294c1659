/** The kernel of this example: one work-item has one pixel. */
export const mandelbrotSource = /* opencl */ `
  /* No products fused with sums: each device then computes the same orbits, to the last digit. */
  #pragma OPENCL FP_CONTRACT OFF

  /* After how many steps of z = z * z + c a point is far away; 0 if it stays for as many as the limit says. */
  __kernel void mandelbrot(__global float *steps, float2 corner, float pixel, uint limit) {
    const size_t x = get_global_id(0), y = get_global_id(1);
    const float2 c = (float2)(corner.x + pixel * x, corner.y - pixel * y);
    float2 z = 0;
    uint n = 0;
    while (n < limit && z.x * z.x + z.y * z.y < 65536) {
      z = (float2)(z.x * z.x - z.y * z.y + c.x, 2 * z.x * z.y + c.y);
      n++;
    }
    /* So far away each step squares the distance. What part of a step it took to get to the border makes the
       colors smooth. */
    steps[y * get_global_size(0) + x] = n < limit ? n + 4 - log2(log2(dot(z, z))) : 0;
  }` as const;
