import { formatAmount } from '../../src/core/base/amount.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { MarginAccountView } from '../../src/core/model/margin.ts';
import { marginNameOf } from '../../src/core/model/margin.ts';
import type { StateView } from '../../src/core/state/view.ts';
import { isFuturesAccount, isProductAccount } from '../../src/exchange/matching/accounts/command.ts';
import { MarginObjects, decodeMarginAccount } from '../../src/venues/hitbtc/wire/resources/margin-model.ts';
import type { Breaches } from './breaches.ts';
import type { SimExchange } from './sim-exchange.ts';

/** I6, once everything is quiet: margin accounts, their positions, and the wallet of contracts are the exchange's, digit for digit. */
export function checkMargin(exchange: SimExchange, view: StateView, breaches: Breaches): void {
  const { core } = exchange.world;
  for (const owner of exchange.accounts) {
    if (!isProductAccount(owner)) continue;
    const product = isFuturesAccount(owner) ? 'futures' : 'margin';
    const theirs = core.exchange.marginAccounts(owner).map((account) => accountAsRead(exchange, account));
    const ours = view.marginAccounts().flatMap((one) => (one.product === product ? [one.account] : []));
    const shown = [ours, theirs].map((accounts) =>
      accounts.map((account) => textOfAccount(marginNameOf({ product, ...account }), account)).sort(),
    );
    if (shown[0]?.join() !== shown[1]?.join())
      breaches.add('I6', `${product} accounts differ: ours ${shown[0]?.join()}; theirs ${shown[1]?.join()}`);
    for (const { instrument, mode, quantity } of theirs.flatMap(({ positions }) => positions)) {
      const lots = view.netPosition(instrument, mode);
      const booked = view.instruments.at(instrument).quantityAmount(lots as never);
      if (booked !== quantity)
        breaches.add(
          'I4',
          `the ${mode} position of ${instrument} is ${formatAmount(quantity)}, booked are ${lots} lots`,
        );
    }
    if (product === 'futures')
      for (const { currency, available, reserved } of core.exchange.balances(owner)) {
        const known = view.balance(currency, 'futures');
        if (known.available !== available || known.reserved !== reserved)
          breaches.add(
            'I6',
            `${currency} of contracts: ours ${formatAmount(known.available)}, theirs ${formatAmount(available)}`,
          );
      }
  }
}

/** An account with the digits that the wire shows. */
export function accountAsRead({ world }: SimExchange, account: MarginAccountView): MarginAccountView {
  const { instruments } = world.core;
  const object = new MarginObjects('v3', instruments).account(account);
  return (
    decodeMarginAccount(object, new Instruments(instruments.all.map(({ spec }) => spec)))?.account ?? account
  );
}

/** What reports keep true of an account of that name: profit and boundaries move with the market, without a report. */
export function textOfAccount(name: string, account: MarginAccountView): string {
  const { balance, reservedOrders, reservedPositions, leverage, positions, auto, amr } = account;
  const open = positions.map(({ instrument, quantity, entry, id }) =>
    [id, instrument, formatAmount(quantity), formatAmount(entry)].join(' '),
  );
  const amounts = [balance, reservedOrders, reservedPositions].map(formatAmount);
  const whole = [
    ...amounts,
    leverage === undefined ? '-' : formatAmount(leverage),
    auto,
    amr,
    ...open.sort(),
  ];
  return `${name}: ${whole.join(' ')}`;
}
