// Heat diffusion: two steps are recorded as bound kernels in a list, and one call enqueues them.
import { CommandQueue, Context, DeviceBuffer, LaunchList, Program } from "@cl/core";

const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(
  context,
  `
  __kernel void diffuse(__global const float *from, __global float *to, float rate) {
    size_t x = get_global_id(0), y = get_global_id(1), nx = get_global_size(0), ny = get_global_size(1);
    size_t left = x > 0 ? x - 1 : x, right = x + 1 < nx ? x + 1 : x;
    size_t up = y > 0 ? y - 1 : y, down = y + 1 < ny ? y + 1 : y;
    float here = from[y * nx + x];
    float around = from[y * nx + left] + from[y * nx + right] + from[up * nx + x] + from[down * nx + x];
    to[y * nx + x] = here + rate * (around - 4 * here);
  }`,
).build();

const [nx, ny] = [64, 64];
const u = DeviceBuffer.empty(context, Float32Array, nx * ny);
const v = DeviceBuffer.empty(context, Float32Array, nx * ny);
const start = new Float32Array(nx * ny);
start[(ny / 2) * nx + nx / 2] = 1000;
await queue.write(u, start);

const diffuse = program.kernel("diffuse");
const forward = diffuse.bind({ global: [nx, ny] }, u, v, 0.2);
const back = diffuse.bind({ global: [nx, ny] }, v, u, 0.2);
const step = new LaunchList(context, { label: "timestep" }).push(forward).push(back);

for (let t = 0; t < 500; t++) {
  // Affects later launches only; launches already enqueued keep the previous value.
  if (t === 250) for (const kernel of [forward, back]) kernel.setArg("rate", 0.1);
  step.launch(queue);
}

const end = await queue.read(u);
const total = end.reduce((sum, heat) => sum + heat, 0);
console.log(`total heat: ${total.toFixed(1)}, maximum: ${Math.max(...end).toFixed(2)}`);
