/** Updates of elements at indices that may repeat: every value counts. */
import { wrongType } from "@cl/base";
import { checkWritable } from "../storage/check-array.js";
import { signatureOf } from "../expression/signatures.js";
import { updateCode, type UpdateOperator } from "./update-code.js";
import type { IndexedAccess } from "./run-indexed.js";
import { storeAt } from "./store-at.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Combines elements with values where indices say, and gives the array. */
export function updateAt<A extends AnyArray>(array: A, indices: unknown, values: unknown, operator: UpdateOperator): A {
  checkWritable(array);
  withUpdate(array, operator, (target, action) => storeAt(target, indices, values, action));
  return array;
}

/** Runs with what is to be done, and with the array to which it is done. */
function withUpdate(
  array: AnyArray,
  operator: UpdateOperator,
  use: (target: AnyArray, action: IndexedAccess["action"]) => void,
): void {
  const { dtype, xp } = array;
  const { name, itemSize } = dtype;
  const { result } = signatureOf(operator, [{ dtype: name }, { dtype: name }], ["this", "values"]);
  if (result !== name) throw wrongType(`${operator} of ${name} returns ${result}, which cannot be stored in ${name}`);
  const action = updateCode(xp.queue.device, operator, name);
  // Words are exchanged, of which the last must not reach behind the memory.
  if (itemSize >= 4 || array.operand().storage.bytes % 4 === 0) {
    use(array, action);
    return;
  }
  const perWord = 4 / itemSize;
  using longer = xp.empty([Math.ceil(array.size / perWord) * perWord], { dtype: name });
  using part = longer.slice([0, array.size]);
  using target = part.reshape(array.shape);
  target.assign(array);
  use(target, action);
  array.assign(target);
}
