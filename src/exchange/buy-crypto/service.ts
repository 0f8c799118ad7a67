import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type { BuyOrder, BuyRates } from '../../venues/hitbtc/wire/resources/index.ts';
import type { CurrencyOptions, PageQuery } from '../base/index.ts';
import { historyOf, pageOf, badParameter, currencyNotFound, Refusal, refuse } from '../base/index.ts';
import type { Rates } from '../market/index.ts';
import type { WalletContext } from '../wallet/index.ts';
import { makeUuid } from '../wallet/index.ts';
import type { BuySource, OfferedMethod, OfferedProvider } from './catalog.ts';
import { BuyCatalog, sells } from './catalog.ts';
import type { BuyCryptoOptions } from './options.ts';
import type { BuyRecord } from './orders.ts';
import { BuyOrders } from './orders.ts';
import type { Quote } from './pricing.ts';
import {
  isPayable,
  isTransferable,
  quoteForSource,
  quoteForTarget,
  spotPrice,
  withinLimits,
} from './pricing.ts';

/** How the version at hand spells a parameter, for refusals that name one. */
export type ParameterNaming = (
  name: 'providerId' | 'sourceAmount' | 'targetAmount' | 'paymentMethodId' | 'targetNetworkCode',
) => string;

/** Query of a provider's rates. */
interface RateQuery {
  readonly providerId: number;
  readonly source?: string | undefined;
  readonly target?: string | undefined;
  readonly sourceAmount?: Amount | undefined;
  readonly targetAmount?: Amount | undefined;
  readonly paymentMethodId?: number | undefined;
}

interface PurchaseQuery {
  readonly providerId: number;
  readonly source: string;
  readonly target: string;
  /** Amount that is paid; with `targetAmount`, the most that may be paid. */
  readonly sourceAmount: Amount;
  /** Amount that is bought; all that `sourceAmount` brings when missing. */
  readonly targetAmount?: Amount | undefined;
  /** The first that fits when missing. */
  readonly paymentMethodId?: number | undefined;
  readonly targetNetworkCode?: string | undefined;
}

interface OrderQuery {
  readonly providerId: number;
  readonly sourceCode?: string | undefined;
  readonly targetCode?: string | undefined;
  readonly walletAddress?: string | undefined;
  readonly targetNetworkCode?: string | undefined;
  readonly page: PageQuery;
}

/** Buying crypto through providers, for both versions. Source: API v3 and v2, "Buy-crypto". */
export class BuyCryptoService {
  readonly catalog: BuyCatalog;
  readonly #rates: Rates;
  readonly #wallet: WalletContext;
  readonly #orders: BuyOrders;
  readonly #ids: Random;

  constructor(setup: {
    options: BuyCryptoOptions;
    currencies: readonly CurrencyOptions[];
    rates: Rates;
    wallet: WalletContext;
    clock: Clock;
    random: Random;
  }) {
    const { options, clock, random } = setup;
    this.catalog = new BuyCatalog(options, setup.currencies);
    this.#rates = setup.rates;
    this.#wallet = setup.wallet;
    this.#ids = random.fork('ids');
    this.#orders = new BuyOrders({
      clock,
      random: random.fork('lives'),
      options,
      onCompleted: (record) => this.#credit(record),
    });
  }

  /** Rates of what each fitting method would bring. Methods whose limits the amount does not meet are left out. */
  rates(query: RateQuery, spell: ParameterNaming): BuyRates | Refusal {
    const found = this.#offer(query, spell);
    if (found instanceof Refusal) return found;
    const { methods, source, target, price } = found;
    const { sourceAmount, targetAmount } = query;
    if (sourceAmount !== undefined && !isPayable(source, sourceAmount)) {
      return notPayable(source, spell);
    }
    const prices = methods
      .map((method) => ({
        method,
        quote:
          sourceAmount === undefined && targetAmount !== undefined
            ? quoteForTarget(method, price, source, targetAmount)
            : quoteForSource(method, price, target, sourceAmount ?? method.sourceMin),
      }))
      .filter(({ method, quote }) => withinLimits(method, quote.sourceAmount))
      .map(({ method, quote }) => ({
        paymentMethodId: String(method.id),
        type: method.type,
        sourceCode: source.code,
        targetCode: target.code,
        ...quote,
      }));
    return { spotPrice: price, prices };
  }

  /** Opens a purchase at the price of now; what it brings arrives in the wallet when it is completed. */
  open(account: AccountId, query: PurchaseQuery, spell: ParameterNaming): BuyOrder | Refusal {
    const found = this.#offer(query, spell);
    if (found instanceof Refusal) return found;
    const { provider, methods, source, target, price } = found;
    const method = methods[0] as OfferedMethod;
    if (!isPayable(source, query.sourceAmount)) return notPayable(source, spell);
    const quote = this.#quote(query, { method, source, target, price }, spell);
    if (quote instanceof Refusal) return quote;
    const { sourceAmount, targetAmount } = quote;
    if (!withinLimits(method, sourceAmount) || targetAmount <= 0n) {
      const { sourceMin, sourceMax } = method;
      const range = `[${formatAmount(sourceMin)}, ${formatAmount(sourceMax)}]`;
      return query.targetAmount === undefined
        ? wrong(spell('sourceAmount'), `Parameter must be in ${range}`)
        : wrong(spell('targetAmount'), `Parameter must cost within ${range} ${source.code}`);
    }
    const network = this.#wallet.network(target.code, query.targetNetworkCode);
    if (network === undefined) return wrong(spell('targetNetworkCode'), 'No such network of the target');
    const address = this.#wallet.addresses.current(account, network);
    if (address === undefined) return refuse(20_003);
    const record = this.#orders.open({
      account,
      networkCode: network.code,
      targetAmount,
      operationId: makeUuid(this.#ids),
      order: {
        providerId: String(provider.id),
        sourceCode: source.code,
        targetCode: target.code,
        walletAddress: address.address,
        checkoutUrl: `${provider.checkoutUrl}?order=${makeUuid(this.#ids)}`,
      },
    });
    return record?.order ?? refuse(20_003, { description: 'Too many purchases are under way' });
  }

  /** The purchases of an account with a provider, with their operations. */
  list(account: AccountId, query: OrderQuery, spell: ParameterNaming): readonly BuyOrder[] | Refusal {
    if (this.catalog.provider(query.providerId) === undefined) return noProvider(spell);
    return pageOf(historyOf(this.#orders.of(account)), query.page, {
      numberOf: ({ order }) => Number(order.id),
      timeOf: ({ order }) => order.createdAt,
      accepts: ({ order, networkCode }) =>
        order.providerId === String(query.providerId) &&
        (query.sourceCode === undefined || order.sourceCode === query.sourceCode) &&
        (query.targetCode === undefined || order.targetCode === query.targetCode) &&
        (query.walletAddress === undefined || order.walletAddress === query.walletAddress) &&
        (query.targetNetworkCode === undefined || networkCode === query.targetNetworkCode),
    }).map(({ order, operationId }) => ({ ...order, operationId }));
  }

  stop(): void {
    this.#orders.stop();
  }

  /** The methods that fit, what is paid with, what is bought, and its price now. The first pair when none is named. */
  #offer(
    query: Pick<RateQuery, 'providerId' | 'source' | 'target' | 'paymentMethodId'>,
    spell: ParameterNaming,
  ): Offer | Refusal {
    const provider = this.catalog.provider(query.providerId);
    if (provider === undefined) return noProvider(spell);
    const named = provider.methods.filter(
      ({ id }) => query.paymentMethodId === undefined || id === query.paymentMethodId,
    );
    if (named.length === 0) return wrong(spell('paymentMethodId'), 'No such payment method');
    const first = named.find((method) => sells(method, query.source, query.target));
    const source = first?.sources.find(({ code }) => code === (query.source ?? code));
    const target = first?.targets.find(({ code }) => code === (query.target ?? code));
    if (source === undefined || target === undefined) return currencyNotFound();
    const price = spotPrice(this.#rates, source, target.code);
    if (price === undefined) {
      return refuse(20_010, { description: `${target.code} has no price in ${source.follows} yet` });
    }
    const methods = named.filter((method) => sells(method, source.code, target.code));
    return { provider, methods, source, target, price };
  }

  /** Quote of what a purchase pays and brings. Source: API v2, "Buy-crypto"; docs/assumptions.md. */
  #quote(
    { sourceAmount, targetAmount }: PurchaseQuery,
    { method, source, target, price }: Pick<Offer, 'source' | 'target' | 'price'> & { method: OfferedMethod },
    spell: ParameterNaming,
  ): Quote | Refusal {
    if (targetAmount === undefined) return quoteForSource(method, price, target, sourceAmount);
    if (!isTransferable(target, targetAmount)) {
      const step = `Parameter must be a multiple of ${target.transferPrecision} ${target.code}`;
      return wrong(spell('targetAmount'), step);
    }
    const quote = quoteForTarget(method, price, source, targetAmount);
    if (quote.sourceAmount <= sourceAmount) return quote;
    const cost = formatAmount(quote.sourceAmount);
    return wrong(
      spell('targetAmount'),
      `Parameter costs ${cost} ${source.code}, more than ${spell('sourceAmount')}`,
    );
  }

  #credit({ account, networkCode, targetAmount, operationId, order }: BuyRecord): void {
    const { held, log, notices } = this.#wallet;
    const currency = order.targetCode;
    held.deposit(account, currency, targetAmount);
    this.#wallet.count(currency, 'received', targetAmount);
    log.add({
      account,
      status: 'SUCCESS',
      type: 'DEPOSIT',
      subtype: 'BUY_CRYPTO',
      currency,
      amount: targetAmount,
      operationId,
      native: { address: order.walletAddress, networkCode },
    });
    notices.settle();
  }
}

interface Offer {
  readonly provider: OfferedProvider;
  /** Not empty. */
  readonly methods: readonly OfferedMethod[];
  readonly source: BuySource;
  readonly target: CurrencyOptions;
  readonly price: Amount;
}

function noProvider(spell: ParameterNaming): Refusal {
  return wrong(spell('providerId'), 'No such provider');
}

function notPayable({ code, decimals }: BuySource, spell: ParameterNaming): Refusal {
  return wrong(spell('sourceAmount'), `Parameter must have at most ${decimals} decimals in ${code}`);
}

function wrong(name: string, why: string): Refusal {
  return badParameter(name, why);
}
