/** Imports of external memory: file descriptors on the fake driver, error handling on real drivers. */
import { expect, test } from "vitest";
import { DeviceBuffer, ExternalMemoryHandleType, importBuffer, NotSupportedError, OpenCLError } from "@cl/core";

import { needs } from "@cl/base/testing";
import { context, device, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";

const { OPAQUE_FD_KHR } = ExternalMemoryHandleType;
const has = device.hasExtension("cl_khr_external_memory");

test("importBuffer throws without the extension or with an invalid descriptor", () => {
  const source = { handleType: OPAQUE_FD_KHR, fd: 0x7ffffff0, size: 4096 };
  expect(() => importBuffer(context, source)).toThrow(has ? OpenCLError : NotSupportedError);
});

test("acquire and release throw without the extension", (run) => {
  needs(run, !has, `'${device.name}' has the extension`);
  const x = new DeviceBuffer(context, 16);
  for (const call of [() => queue.enqueueAcquireExternal(x), () => queue.enqueueReleaseExternal([x])]) {
    expect(call).toThrow(NotSupportedError);
  }
});

test("a buffer over a file descriptor reads and writes the file and leaks no handle (fake driver)", async () => {
  const { lines, report } = await onFake(
    `
    import { fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
    import { join } from "node:path";
    import { collectGarbage } from "@cl/base/testing";
    const handleType = ExternalMemoryHandleType.OPAQUE_FD_KHR;
    const path = join(process.env.XDG_CACHE_HOME, "memory");
    writeFileSync(path, new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer));
    const fd = openSync(path, "r+");
    const x = importBuffer(context, { handleType, fd, size: 16, type: Float32Array, devices: context.devices, label: "x" });
    console.log("taken over", codeOf(() => fstatSync(fd)));
    console.log(String(x), x instanceof DeviceBuffer, x.referenceCount);
    const acquired = queue.enqueueAcquireExternal(x);
    console.log([...(await queue.read(x, { waitFor: acquired }))].join());
    queue.enqueueFill(x, 9);
    await queue.enqueueReleaseExternal([x], { waitFor: acquired }).wait();
    console.log([...new Float32Array(new Uint8Array(readFileSync(path)).buffer)].join());
    const own = new DeviceBuffer(context, 16);
    console.log(codeOf(() => queue.enqueueAcquireExternal(own)));
    const small = openSync(path, "r+");
    console.log(codeOf(() => importBuffer(context, { handleType, fd: small, size: 4096 })));
    console.log(codeOf(() => importBuffer(context, { handleType: ExternalMemoryHandleType.DMA_BUF_KHR, fd: small, size: 16 })));
    for (const one of [acquired, x, own, queue, context]) one.release();
    await collectGarbage();`,
    { env: { FAKE_CL_EXTENSIONS: "all" } },
  );
  expect(lines).toEqual([
    "taken over EBADF",
    'DeviceBuffer "x" { Float32Array × 4, 16 bytes } true 1',
    "1,2,3,4",
    "9,9,9,9",
    "CL_INVALID_MEM_OBJECT",
    "CL_INVALID_VALUE",
    "CL_INVALID_PROPERTY",
  ]);
  expect(report).toMatchObject({ live: { mem: 0 } });
});
