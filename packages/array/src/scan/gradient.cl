// Derivatives along one axis, by NumPy's formulas: of second order inside, and of the given order at the ends. Elements
// are contiguous; `inner` is the stride along the axis.
//   T, R: the types of elements and of their real parts
//   HAS_PLACES: whether each place along the axis is given; otherwise they are `step` apart
//   PLACES: the parameters for these
//   EDGES: the order at the ends, 1 or 2

#pragma OPENCL FP_CONTRACT OFF

__kernel void gradient(__global const T* const elements, const ulong first, const ulong size, const ulong extent,
                       const ulong inner, PLACES __global T* const results) {
  const ulong i = get_global_id(0);
  if (i >= size) return;
  const ulong at = i / inner % extent;
  __global const T* const f = elements + first + i;
  const long n = (long)inner;
#if HAS_PLACES
  __global const R* const x = places + first_place + at;
#endif
  if (at > 0 && at < extent - 1) {
#if HAS_PLACES
    const R before = x[0] - x[-1];
    const R after = x[1] - x[0];
    const R a = -after / (before * (before + after));
    const R b = (after - before) / (before * after);
    const R c = before / (after * (before + after));
    results[i] = a * f[-n] + b * f[0] + c * f[n];
#else
    results[i] = (f[n] - f[-n]) / (2 * step);
#endif
  } else if (at == 0) {
#if EDGES == 1 && HAS_PLACES
    results[i] = (f[n] - f[0]) / (x[1] - x[0]);
#elif EDGES == 1
    results[i] = (f[n] - f[0]) / (step);
#elif HAS_PLACES
    const R near = x[1] - x[0];
    const R far = x[2] - x[1];
    const R a = -(2 * near + far) / (near * (near + far));
    const R b = (near + far) / (near * far);
    const R c = -near / (far * (near + far));
    results[i] = a * f[0] + b * f[n] + c * f[2 * n];
#else
    results[i] = -(R)1.5f / step * f[0] + 2 / step * f[n] - (R)0.5f / step * f[2 * n];
#endif
  } else {
#if EDGES == 1 && HAS_PLACES
    results[i] = (f[0] - f[-n]) / (x[0] - x[-1]);
#elif EDGES == 1
    results[i] = (f[0] - f[-n]) / (step);
#elif HAS_PLACES
    const R far = x[-1] - x[-2];
    const R near = x[0] - x[-1];
    const R a = near / (far * (far + near));
    const R b = -(near + far) / (far * near);
    const R c = (2 * near + far) / (near * (far + near));
    results[i] = a * f[-2 * n] + b * f[-n] + c * f[0];
#else
    results[i] = (R)0.5f / step * f[-2 * n] - 2 / step * f[-n] + (R)1.5f / step * f[0];
#endif
  }
}
