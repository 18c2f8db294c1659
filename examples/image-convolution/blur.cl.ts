/** The kernel: a blur in one direction. */
export const blurSource = /* opencl */ `
  /* Weighted mean of the pixels along a line. The sampler defines the values outside of the image. */
  __kernel void blur(__read_only image2d_t from, __write_only image2d_t to, sampler_t border,
                     __constant float *weights, int radius, int2 direction) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int i = -radius; i <= radius; i++) sum += weights[radius + i] * read_imagef(from, border, at + i * direction);
    write_imagef(to, at, sum);
  }` as const;
