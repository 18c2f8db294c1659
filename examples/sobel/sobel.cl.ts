/** The kernel. The `opencl` comment makes editors highlight it as OpenCL C. */
export const sobelSource = /* opencl */ `
  /* Pixels outside of the image repeat its edge, so that its border is not detected as an edge. */
  __constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

  /* Magnitude of the brightness gradient at each pixel (Sobel operator). */
  __kernel void sobel(__read_only image2d_t picture, __write_only image2d_t edges) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    float pixel[3][3];
    for (int y = 0; y < 3; y++) {
      for (int x = 0; x < 3; x++) {
        pixel[y][x] = read_imagef(picture, nearest, at + (int2)(x - 1, y - 1)).x;
      }
    }
    const float across = pixel[0][2] + 2 * pixel[1][2] + pixel[2][2] - pixel[0][0] - 2 * pixel[1][0] - pixel[2][0];
    const float down = pixel[2][0] + 2 * pixel[2][1] + pixel[2][2] - pixel[0][0] - 2 * pixel[0][1] - pixel[0][2];
    write_imagef(edges, at, (float4)(sqrt(across * across + down * down), 0, 0, 1));
  }`;
