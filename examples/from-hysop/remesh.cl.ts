/**
 * Remeshing kernels: the weight of a particle by its distance in cells. L2_1 (M'4) conserves 3 moments and L4_2 conserves 5
 * (Cottet, Etancelin, Perignon and Picard 2014). The polynomials are in factors, which avoids cancellation.
 */
export const remeshSource = /* opencl */ `
  float L2_1(float x) {
    const float inner = 1 + x * x * (1.5f * x - 2.5f);
    const float outer = 0.5f * (2 - x) * (2 - x) * (1 - x);
    return x < 1 ? inner : x < 2 ? outer : 0;
  }

  float L4_2(float x) {
    const float inner = (1 - x) * (24 + x * (24 + x * (-6 + x * (-76 + 50 * x))));
    const float middle = (x - 1) * (x - 2) * (-48 + x * (153 + x * (-114 + 25 * x)));
    const float outer = (x - 3) * (x - 3) * (x - 3) * (x - 2) * (8 - 5 * x);
    return (x < 1 ? inner : x < 2 ? middle : x < 3 ? outer : 0) / 24;
  }
` as const;

/** Distance in cells from which on all weights are 0. */
export const support = { L2_1: 2, L4_2: 3 } as const;

export type RemeshKernel = keyof typeof support;
