import { z } from 'zod';

const rate = z.preprocess(
  (given) => (typeof given === 'string' && /^-?\d{1,3}(\.\d{1,18})?$/.test(given) ? Number(given) : given),
  z.number('expected a yearly rate such as "0.02" for 2 %').gt(-1).max(10),
);

/** `report:` of the configuration and of a scenario: how the figures of a run are made. It decides no trade. */
export const figureOptions = z.strictObject({
  daysPerYear: z
    .union([z.literal('calendar'), z.number().min(1).max(366)])
    .default('calendar')
    .describe(
      'returns a year has; calendar: by the days on which the data have any, 365, 313, 252, 52 or 12',
    ),
  riskFree: rate
    .default(0)
    .describe('yearly rate that returns must exceed, such as "0.02": of Sharpe, Sortino, Omega, alpha'),
  benchmark: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('symbol of the data that the run is compared with; the one traded first when left out'),
  holdFrom: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('of a run on bars: how many bars holding the benchmark begins after the first'),
  annualising: z
    .enum(['arithmetic', 'geometric'])
    .default('arithmetic')
    .describe(
      'arithmetic: mean and deviation of daily returns; geometric: compounded, as backtesting.py does',
    ),
  daysMin: z
    .int()
    .min(2)
    .max(10_000)
    .default(30)
    .describe('daily returns without which ratios have no value'),
  tradesMin: z
    .int()
    .min(1)
    .max(10_000)
    .default(30)
    .describe('closed trades without which their statistics have no value'),
});

export type FigureOptions = Readonly<z.output<typeof figureOptions>>;

/** As they are when nothing is said. */
export const defaultFigures: FigureOptions = figureOptions.parse({});
