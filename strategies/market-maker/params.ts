import { z } from 'godwit/strategy';

/** What can be set, by `params` of a configuration or `--param`. */
export const params = z.strictObject({
  symbol: z.string().default('ETHBTC').describe('what is quoted'),
  quantity: z.string().default('0.05').describe('size of one quote in base currency'),
  positionMax: z.string().default('0.5').describe('largest position, long or short, in base currency'),
  model: z
    .enum(['linear', 'avellaneda-stoikov'])
    .default('linear')
    .describe('how the deviation, the position and time make two prices'),
  gamma: z
    .number()
    .min(1e-9)
    .max(1e3)
    .default(0.01)
    .describe('avellaneda-stoikov: aversion to risk, per tick and quote held'),
  kappa: z
    .number()
    .min(1e-9)
    .max(1e3)
    .default(0.3)
    .describe('avellaneda-stoikov: how fast fills become rarer away from the mid, per tick'),
  halfSpreadTicksMin: z
    .number()
    .min(0)
    .max(1e6)
    .default(1.5)
    .describe('smallest distance from the reservation price'),
  spreadFactor: z
    .number()
    .min(0)
    .max(100)
    .default(0.6)
    .describe('linear: half spread in deviations over the horizon'),
  skewFactor: z
    .number()
    .min(0)
    .max(10)
    .default(1.5)
    .describe('linear: shift at full inventory, in half spreads'),
  horizonSeconds: z.number().min(0.1).max(3_600).default(5).describe('how long a quote is thought to stand'),
  memorySeconds: z.number().min(1).max(86_400).default(60).describe('memory of the volatility estimate'),
  requoteTicks: z.int().min(1).max(1e6).default(2).describe('a quote stays unless its price moved so far'),
  pauseMs: z
    .number()
    .min(0)
    .max(60_000)
    .default(250)
    .describe('shortest time between two actions on one side'),
  lifetimeSeconds: z
    .number()
    .min(20)
    .max(3_600)
    .default(60)
    .describe('expiry of a quote, should we go silent'),
  replace: z.boolean().default(true).describe('move quotes by replace; else by cancel and a new order'),
});
