/** Indices of cells, for the kernels of directional operators. SIZE is the number of cells per side. Axes: 0, 1, 2. */
export const cellsSource = /* opencl */ `
  #define CELLS (SIZE * SIZE * SIZE)

  int own_cell(void) { return (get_global_id(2) * SIZE + get_global_id(1)) * SIZE + get_global_id(0); }

  /* The cell that is \`away\` cells further along an axis, across the periodic boundary. */
  int neighbor(int cell, int axis, int away) {
    const int stride = axis == 0 ? 1 : axis == 1 ? SIZE : SIZE * SIZE, position = cell / stride % SIZE;
    return cell + ((position + away + SIZE) % SIZE - position) * stride;
  }
` as const;
