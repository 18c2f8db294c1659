/** The kernel of this example: a blur in one direction. */
export const blurSource = /* opencl */ `
  /* The weighted mean of the pixels along a line. What lies outside of the image is the sampler's affair, so that
     there is no border to think of. */
  __kernel void blur(__read_only image2d_t from, __write_only image2d_t to, sampler_t border,
                     __constant float *weights, int radius, int2 direction) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int i = -radius; i <= radius; i++) sum += weights[radius + i] * read_imagef(from, border, at + i * direction);
    write_imagef(to, at, sum);
  }` as const;
