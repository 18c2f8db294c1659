// Fourier transforms of complex64, for the power of two nearest to the size and for the size.
import { sized } from "../array/rig.mjs";
import { expectNear } from "./expect.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function fourierJobs(rig) {
  const { xp } = rig;
  /**
   * @param {string} name
   * @param {(size: number) => number} lengthOf
   */
  const job = (name, lengthOf) =>
    sized(rig, name, (size) => {
      const length = lengthOf(size);
      const values = new Float32Array(2 * length);
      for (let i = 0; i < values.length; i++) values[i] = ((i * 7919) % 65_537) / 65_537 - 0.5;
      const a = xp.fromHost(values, { dtype: "complex64" });
      const spectrum = xp.fft.fft(a);
      const [first] = spectrum.slice([0, 1]).dataSync();
      const sum = values.reduce((total, value, i) => (i % 2 === 0 ? total + value : total), 0);
      expectNear(first ?? NaN, sum, 1e-5 * Math.sqrt(length), name);
      const back = xp.fft.ifft(spectrum);
      expectNear(back.sub(a).absolute().max().dataSync()[0] ?? NaN, 0, 1e-5, name);
      spectrum.release();
      back.release();
      return () => xp.fft.fft(a).release();
    });
  return { ...job("fft", nearestPower), ...job("fft-decimal", (size) => size) };
}

/**
 * Returns the nearest power of two: 1024 for 1e3, 2 ** 13 for 1e4, 2 ** 17 for 1e5, 2 ** 20 for 1e6, 2 ** 23 for 1e7, 2 ** 27 for 1e8.
 * @param {number} size
 */
function nearestPower(size) {
  return 2 ** Math.round(Math.log2(size));
}
