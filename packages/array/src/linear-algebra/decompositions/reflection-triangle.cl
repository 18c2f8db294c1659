// The triangle that joins reflections: their product is the identity without V T V^H. From the products of their
// vectors; each work-item has one row.
__kernel void reflection_triangle(__global T* const memory, __global const T* const product_memory,
                                  __global const T* const factors, const Place at, const Place products_at,
                                  const int size, const int start, const int factor_count) {
  const int i = (int)get_global_id(0);
  const long matrix = get_global_id(1);
  __global T* const line = memory + at.offset + matrix * at.matrix + i * at.row;
  __global const T* const products = product_memory + products_at.offset + matrix * products_at.matrix;
  for (int j = 0; j < size; j++) {
    const T factor = factors[matrix * factor_count + start + j];
    T sum = of_parts((R)0, (R)0);
    for (int k = i; k < j; k++) sum = less_product(sum, line[k], products[k * products_at.row + j]);
    line[j] = j < i ? of_parts((R)0, (R)0) : j == i ? factor : multiply(sum, factor);
  }
}
