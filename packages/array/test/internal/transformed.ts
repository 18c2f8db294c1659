/** Element `k` of the transform of a line. */
export function transformed(at: (j: number) => readonly [number, number], length: number, k: number): [number, number] {
  let [re, im] = [0, 0];
  for (let j = 0; j < length; j++) {
    const angle = (-2 * Math.PI * ((j * k) % length)) / length;
    const [x, y] = at(j);
    re += x * Math.cos(angle) - y * Math.sin(angle);
    im += x * Math.sin(angle) + y * Math.cos(angle);
  }
  return [re, im];
}
