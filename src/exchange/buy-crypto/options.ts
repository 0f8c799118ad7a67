import { z } from 'zod';
import { code, positiveText } from '../base/options.ts';
import { withoutExponent } from '../../core/base/exponent.ts';

const milliseconds = z.int().min(0).max(86_400_000);
const id = z.int().min(1).max(999_999_999);

/** Money that a purchase is paid with, outside of the exchange. */
const sourceOptions = z.strictObject({
  code,
  displayName: z.string().min(1).max(80),
  follows: code
    .optional()
    .describe('the currency of the exchange it is valued in; the first stable one when missing'),
  worth: positiveText.default('1').describe('one unit in the currency it follows'),
  decimals: z.int().min(0).max(12).default(2),
});

const methodOptions = z.strictObject({
  id,
  name: z.string().min(1).max(80),
  description: z.string().max(200).default(''),
  type: z.string().min(1).max(40).default('card'),
  logoUrl: z.string().max(200).default(''),
  sources: z.array(code).min(1).max(50).describe('what it can be paid with'),
  targets: z
    .array(code)
    .min(1)
    .max(1_000)
    .optional()
    .describe('what it buys; every cryptocurrency when missing'),
  feeRate: z
    .string()
    .overwrite(withoutExponent)
    .regex(/^0(\.\d{1,12})?$/, 'expected a fraction below one such as "0.035"')
    .default('0.03')
    .describe('part of the payment that the provider keeps'),
  sourceMin: positiveText.default('20'),
  sourceMax: positiveText.default('10000'),
});

const providerOptions = z.strictObject({
  id,
  name: z.string().min(1).max(80),
  checkoutUrl: z.string().max(200).default('https://checkout.example.com'),
  methods: z.array(methodOptions).min(1).max(50),
});

const defaultSources: z.input<typeof sourceOptions>[] = [
  { code: 'USD', displayName: 'US Dollar' },
  { code: 'EUR', displayName: 'Euro', worth: '1.08' },
  { code: 'GBP', displayName: 'Pound Sterling', worth: '1.27' },
];

const defaultProviders: z.input<typeof providerOptions>[] = [
  {
    id: 1,
    name: 'Cardlane',
    checkoutUrl: 'https://checkout.example.com/cardlane',
    methods: [
      {
        id: 101,
        name: 'Card',
        description: 'Debit and credit cards',
        sources: ['USD', 'EUR'],
        feeRate: '0.035',
        sourceMax: '5000',
      },
      {
        id: 102,
        name: 'Bank transfer',
        type: 'bank',
        sources: ['EUR'],
        feeRate: '0.01',
        sourceMin: '50',
        sourceMax: '20000',
      },
    ],
  },
  {
    id: 2,
    name: 'Paybridge',
    checkoutUrl: 'https://checkout.example.com/paybridge',
    methods: [
      { id: 201, name: 'Card', sources: ['USD', 'GBP'], feeRate: '0.04', sourceMin: '10', sourceMax: '2000' },
    ],
  },
];

/** Options of buying crypto through providers. `{}` gives two providers. */
export const buyCryptoOptions = z.strictObject({
  sources: z
    .array(sourceOptions)
    .max(100)
    .default(() => defaultSources.map((item) => sourceOptions.parse(item))),
  providers: z
    .array(providerOptions)
    .max(100)
    .default(() => defaultProviders.map((item) => providerOptions.parse(item))),
  startMs: milliseconds.default(5_000).describe('mean time until a buyer begins to pay'),
  settleMs: milliseconds.default(20_000).describe('mean time from there until the provider is done'),
  expireMs: milliseconds.min(1).default(900_000).describe('when an unpaid order expires'),
  abandonedShare: z.number().min(0).max(1).default(0.05).describe('part of the orders that are never paid'),
  failedShare: z.number().min(0).max(1).default(0.05).describe('part of the payments that fail'),
  openMax: z.int().min(1).max(10_000).default(100).describe('orders under way per account'),
  ordersMax: z.int().min(1).max(100_000).default(2_000).describe('kept per account'),
});

export type BuyCryptoOptions = z.infer<typeof buyCryptoOptions>;
export type BuySourceOptions = z.infer<typeof sourceOptions>;
export type BuyMethodOptions = z.infer<typeof methodOptions>;
export type BuyProviderOptions = z.infer<typeof providerOptions>;
