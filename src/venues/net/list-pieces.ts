/** Rows of a list that stand in one piece. */
export const pieceRows = 50;

/**
 * Cuts a JSON list into lists of at most `pieceRows` rows as its bytes come, so that no turn of the loop reads all of a long one. What is no list,
 * or one that does not end, stays whole. The rows themselves are not looked at.
 */
export class ListPieces {
  readonly #done: Buffer[] = [];
  /** Bytes behind the last cut. */
  #open: Buffer[] = [];
  #isList: boolean | undefined;
  #depth = 0;
  #rows = 0;
  #inText = false;
  #isEscaped = false;

  add(chunk: Buffer): void {
    this.#isList ??= startsList(chunk);
    if (this.#isList !== true) {
      this.#open.push(chunk);
      return;
    }
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#inText = false;
      } else if (byte === quote) {
        this.#inText = true;
      } else if (byte === openBracket || byte === openBrace) {
        this.#depth += 1;
      } else if (byte === closeBracket || byte === closeBrace) {
        this.#depth -= 1;
      } else if (byte === comma && this.#depth === 1) {
        this.#rows += 1;
        if (this.#rows < pieceRows) continue;
        this.#rows = 0;
        this.#done.push(Buffer.concat([...this.#begun(), chunk.subarray(from, at), closing]));
        this.#open = [];
        from = at + 1;
      }
    }
    this.#open.push(from === 0 ? chunk : chunk.subarray(from));
  }

  /** JSON texts of what came: the pieces of a long list, each a list, or all in one. */
  texts(): readonly Buffer[] {
    const [only] = this.#open;
    if (this.#done.length === 0) return [this.#open.length === 1 && only !== undefined ? only : this.#rest()];
    if (this.#depth === 0 && !this.#inText) return [...this.#done, this.#rest()];
    const cut = this.#done.flatMap((piece, at) => [piece.subarray(at === 0 ? 0 : 1, -1), between]);
    return [Buffer.concat([...cut, ...this.#open])];
  }

  #rest(): Buffer {
    return Buffer.concat(this.#begun());
  }

  /** Bytes behind the last cut, as the beginning of a list. */
  #begun(): readonly Buffer[] {
    return this.#done.length === 0 ? this.#open : [opening, ...this.#open];
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const opening = Buffer.from('[');
const closing = Buffer.from(']');
const between = Buffer.from(',');

/** A look at the first byte that is no space: true where it begins a list, `undefined` while there is none. */
function startsList(chunk: Buffer): boolean | undefined {
  const first = chunk.find((byte) => byte > 0x20);
  return first === undefined ? undefined : first === openBracket;
}
