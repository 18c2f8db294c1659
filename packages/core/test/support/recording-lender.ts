/** A lender that records returned blocks. */
export class RecordingLender<Block> {
  readonly returned: { block: Block; bytes: number; reusable: boolean }[] = [];

  takeBack(block: Block, bytes: number, reusable: boolean): void {
    this.returned.push({ block, bytes, reusable });
  }
}
