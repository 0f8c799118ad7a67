import type { Members } from '../../core/base/members.ts';
import { integerOf } from './fields.ts';

/** Where a book message stands in the sequence of its symbol. */
export interface OkxPlace {
  readonly sequence: number;
  /** The state it follows; absent in whole books. */
  readonly previous?: number;
}

interface Chain {
  /** The venue's number of the last message. */
  last: number;
  /** What is added to the venue's numbers, so that they rise where it begins anew. */
  shift: number;
}

/**
 * The sequence of OKX's books: each update names the message before it (`prevSeqId`). It proves by that name alone: numbers
 * leap, and begin anew lower with an update of `seqId` below `prevSeqId`. A message without levels, in which both are the
 * last number, only says that the line is alive. Source: OKX API v5, "Order book channel", "Sequence ID".
 */
export class OkxSequence {
  readonly #chains = new Map<string, Chain>();

  whole(symbol: string, row: Members): OkxPlace {
    const last = integerOf(row['seqId'], '"seqId"');
    this.#chains.set(symbol, { last, shift: 0 });
    return { sequence: last };
  }

  /** `undefined` for a message that only says that the line is alive. */
  update(symbol: string, row: Members): OkxPlace | undefined {
    const sequence = integerOf(row['seqId'], '"seqId"');
    const previous = integerOf(row['prevSeqId'], '"prevSeqId"');
    const chain = this.#chains.get(symbol);
    // Nothing to follow yet: whoever counts the updates without a book counts this one too.
    if (chain === undefined) return { sequence, previous };
    const { last, shift } = chain;
    const before = last + shift;
    if (sequence === last && previous <= last)
      return isEmpty(row) ? undefined : { sequence: before, previous: before };
    chain.last = sequence;
    if (previous !== last) return missing(before, sequence + shift, previous + shift);
    if (sequence < previous) chain.shift = before + 1 - sequence;
    return { sequence: sequence + chain.shift, previous: before };
  }
}

/** A place that does not follow `before`, whatever its numbers. */
function missing(before: number, sequence: number, previous: number): OkxPlace {
  return { sequence: Math.max(sequence, before + 2), previous: Math.max(previous, before + 1) };
}

function isEmpty({ bids, asks }: Members): boolean {
  return Array.isArray(bids) && bids.length === 0 && Array.isArray(asks) && asks.length === 0;
}
