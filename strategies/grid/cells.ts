import type { ClientOrderId, Side } from 'godwit/strategy';

/** One mesh of the grid: it buys at its lower line and sells at its upper one, in turn. */
export interface Cell {
  readonly low: number;
  readonly high: number;
  /** Lots it has to sell. A cell above the centre begins with its full size. */
  held: number;
  side: Side;
  order: ClientOrderId | undefined;
  quietUntil: number;
  /** When it last placed an order, by side: the same again within a second would be refused as a slip. */
  readonly placed: Record<Side, number>;
}

/** Cells around a centre, lowest first: those below begin with a buy, those above with a sell. In ticks and lots. */
export function cellsAround(grid: { centre: number; step: number; count: number; lots: number }): Cell[] {
  const { centre, step, count, lots } = grid;
  return Array.from({ length: 2 * count }, (_, at) => {
    const above = at >= count;
    const low = centre + (at - count) * step;
    const side = above ? 'sell' : 'buy';
    const held = above ? lots : 0;
    const placed = { buy: 0, sell: 0 };
    return { low, high: low + step, held, side, order: undefined, quietUntil: 0, placed };
  });
}

/** What a cell wants now: what is left of the turn it is in. */
export function wantOf(cell: Cell, lots: number): { side: Side; price: number; quantity: number } {
  return cell.side === 'buy'
    ? { side: 'buy', price: cell.low, quantity: lots - cell.held }
    : { side: 'sell', price: cell.high, quantity: cell.held };
}

/**
 * Books on the cells what their orders traded between two runs, bought above zero and sold below: the market meets the
 * line next to it first. Returns what no cell can have traded.
 */
export function catchUp(cells: readonly Cell[], lots: number, traded: number): number {
  let left = traded;
  for (const cell of traded > 0 ? cells.toReversed() : cells) {
    const change = Math.max(-cell.held, Math.min(lots - cell.held, left));
    cell.held += change;
    left -= change;
  }
  return left;
}
