import { chargesOf } from '../ledger/index.ts';
import type { Streams } from '../bus/index.ts';
import type { ChargeFound, MarginAccountChanged, MarginDenied, MarginRejected } from '../model/event.ts';
import type { MarginAccountView, PositionView } from '../model/margin.ts';
import { marginNameOf } from '../model/margin.ts';
import type { Product } from '../model/product.ts';
import type { StateView } from '../state/index.ts';
import type { StrategyGuard } from './guard.ts';
import type { StrategyHandlers } from './handlers.ts';

export interface MarginDispatchDeps {
  readonly strategy: string;
  readonly state: StateView;
  readonly streams: Streams;
  readonly guard: StrategyGuard;
}

/** Events of margin accounts to handlers, then to the stream: of the products that the strategy declares. */
export class MarginDispatch {
  /** Set when the strategy has been created. */
  handlers: StrategyHandlers = {};
  products: readonly Product[] = [];
  readonly #parts: MarginDispatchDeps;
  /** Accounts by product, mode and symbol or currency: as last reported, and as they were before the moment of that. */
  readonly #former = new Map<
    string,
    { readonly last: MarginAccountView; readonly before: MarginAccountView }
  >();

  constructor(parts: MarginDispatchDeps) {
    this.#parts = parts;
  }

  /** Takes what is known at the start as passed on. */
  beginAccounts(): void {
    for (const { product, account } of this.#parts.state.marginAccounts())
      this.#former.set(marginNameOf({ product, ...account }), { last: account, before: account });
  }

  changed(event: MarginAccountChanged): void {
    const { product, reason, account } = event;
    const key = marginNameOf({ product, ...account });
    const known = this.#former.get(key);
    // Several reports of one moment may all show the account as it is after it.
    const before = known?.last.updatedAt === account.updatedAt ? known.before : known?.last;
    if (this.#parts.state.marginAccount({ product, ...account }) === undefined) this.#former.delete(key);
    else this.#former.set(key, { last: account, before: before ?? account });
    if (!this.products.includes(product)) return;
    this.#call('onMargin', (handlers) => handlers.onMargin?.(account, reason, product));
    this.#charges(event);
    if (account.called && known?.last.called !== true)
      this.#call('onMarginCall', (handlers) => handlers.onMarginCall?.(account, product));
    const former = [...(known?.last.positions ?? []), ...(before?.positions ?? [])];
    for (const position of reason === 'liquidated' ? goneOf(former, account) : [])
      this.#call('onLiquidation', (handlers) => handlers.onLiquidation?.(position));
    if (this.#parts.guard.running) this.#parts.streams.marginChanged({ product, account, reason });
  }

  /** Passes on a charge that was not reported, when it is found. */
  charged(event: ChargeFound): void {
    if (this.products.includes(event.account.product)) this.#charges(event);
  }

  refused(event: MarginDenied | MarginRejected): void {
    if (event.strategy !== this.#parts.strategy) return;
    const { code, why } = event.kind === 'marginDenied' ? event.denial : event;
    this.#call('onMarginRefused', (handlers) =>
      handlers.onMarginRefused?.(event.change, { code: String(code), why }),
    );
  }

  #charges(event: MarginAccountChanged | ChargeFound): void {
    const { state, strategy } = this.#parts;
    for (const charge of chargesOf(state.entriesOf(event))) {
      if (charge.strategy !== strategy) continue;
      const { symbol } = state.instruments.at(charge.instrument);
      const { account, amount, kind } = charge;
      this.#call('onFunding', (handlers) => handlers.onFunding?.({ symbol, account, amount, kind }));
    }
  }

  #call(where: keyof StrategyHandlers, call: (handlers: StrategyHandlers) => unknown): void {
    const { guard } = this.#parts;
    if (!guard.running) return;
    guard.where = where;
    guard.settle(call(this.handlers));
  }
}

/** The positions that an account no longer has, or has less of, each once. */
function goneOf(former: readonly PositionView[], now: MarginAccountView): readonly PositionView[] {
  const byId = new Map(former.toReversed().map((position) => [position.id, position]));
  return [...byId.values()].toReversed().filter((before) => {
    const left = now.positions.find(({ id }) => id === before.id)?.quantity ?? 0n;
    return (left < 0n ? -left : left) < (before.quantity < 0n ? -before.quantity : before.quantity);
  });
}
