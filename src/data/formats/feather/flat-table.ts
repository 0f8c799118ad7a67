/**
 * A table of FlatBuffers, read in place: members by their number in the schema. Absent members are their default. Reads beyond the bytes
 * throw a `RangeError`. Source: "FlatBuffers Internals".
 */
export class FlatTable {
  readonly #view: DataView;
  readonly #at: number;
  readonly #members: number;
  readonly #membersEnd: number;

  constructor(view: DataView, at: number) {
    this.#view = view;
    this.#at = at;
    this.#members = at - view.getInt32(at, true);
    this.#membersEnd = this.#members + view.getUint16(this.#members, true);
  }

  /** The table that some bytes begin with. */
  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  byte(member: number, absent = 0): number {
    const at = this.#find(member);
    return at === undefined ? absent : this.#view.getUint8(at);
  }

  short(member: number, absent = 0): number {
    const at = this.#find(member);
    return at === undefined ? absent : this.#view.getInt16(at, true);
  }

  int(member: number, absent = 0): number {
    const at = this.#find(member);
    return at === undefined ? absent : this.#view.getInt32(at, true);
  }

  long(member: number): number {
    const at = this.#find(member);
    return at === undefined ? 0 : Number(this.#view.getBigInt64(at, true));
  }

  text(member: number): string | undefined {
    const at = this.#indirect(member);
    if (at === undefined) return undefined;
    const length = this.#view.getUint32(at, true);
    return Buffer.from(this.#view.buffer, this.#view.byteOffset + at + 4, length).toString('utf8');
  }

  table(member: number): FlatTable | undefined {
    const at = this.#indirect(member);
    return at === undefined ? undefined : new FlatTable(this.#view, at);
  }

  tables(member: number): readonly FlatTable[] {
    const { begin, count } = this.#vector(member);
    return Array.from({ length: count }, (_, index) => {
      const at = begin + index * 4;
      return new FlatTable(this.#view, at + this.#view.getUint32(at, true));
    });
  }

  /** A list of structs of two whole numbers of 64 bits. */
  pairs(member: number): readonly (readonly [number, number])[] {
    const { begin, count } = this.#vector(member);
    return Array.from({ length: count }, (_, index) => {
      const at = begin + index * 16;
      return [
        Number(this.#view.getBigInt64(at, true)),
        Number(this.#view.getBigInt64(at + 8, true)),
      ] as const;
    });
  }

  #find(member: number): number | undefined {
    const slot = this.#members + 4 + member * 2;
    const offset = slot < this.#membersEnd ? this.#view.getUint16(slot, true) : 0;
    return offset === 0 ? undefined : this.#at + offset;
  }

  #indirect(member: number): number | undefined {
    const at = this.#find(member);
    return at === undefined ? undefined : at + this.#view.getUint32(at, true);
  }

  #vector(member: number): { readonly begin: number; readonly count: number } {
    const at = this.#indirect(member);
    if (at === undefined) return { begin: 0, count: 0 };
    const count = this.#view.getUint32(at, true);
    // A count that the bytes cannot hold is damage, and no list of that length is made.
    if (count > this.#view.byteLength) throw new RangeError('a list that is longer than its message');
    return { begin: at + 4, count };
  }
}
