import { bare } from './source.ts';
import type { Source } from './source.ts';

/** Shapes by which a figure about money is reckoned, and what each is. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a fall from a peak', /\bpeak\w*\s+-\s|\bsubtract\(\s*[\w.#]*\bpeak\b|\s-\s+[\w.#]*\bpeak\b/i],
  ['a peak', /[<>]=?\s*[\w.#]*\bpeak\b|Math\.max\([^()]*\bpeak\b/i],
  [
    'a drawdown, an unrealised profit, an equity or an average price',
    /\b(?:drawdown|unreali[sz]ed|equity|averagePrice)\w*\s*(?::\s*\w+\s*)?[-+*/]?=(?!=|>)[^;]*?(?:\b(?:add|subtract|multiply|divide)\(|[\w)\]]\s+[-+*/]\s)|\bequity\w*\s*[-+]=/,
  ],
  ['a profit', /\badd\(\s*[\w.#]*\bcash,(?!\s*[\w.]*cash)/i],
  [
    'an unrealised profit',
    /\*\s*\(\s*[\w.#]*(?:mark|price|mid)\w*\s+-\s+[\w.#]*(?:average|entry|cost)\w*\s*\)|\bsubtract\(\s*[\w.]*(?:worth|notional)\w*\([^;]*?\),\s*[\w.#]*(?:cost|entry)/i,
  ],
];

/** Where such a figure is no figure of a run: by path, or by the beginning of one that ends in a slash. */
export const moneyExceptions: Readonly<Record<string, string>> = {
  'src/core/ledger/': 'the ledger',
  'src/sim/': 'the simulated venue has its own truth, and bars round as other tools do',
  'src/core/orders/margin/': 'what the venue would make of an account, were an order executed',
  'src/research/statistics/': 'shares of a series, whatever it is of',
  'src/research/report/fold/equity.ts': 'shares of the start, which is known at the end alone',
  'src/research/report/fold/samples.ts': 'shares of the start, which is known at the end alone',
  'src/app/backtest/bar-books.ts':
    'accounts on bars have rounding rules of their own: a test holds both equal',
  'src/research/report/sections/money.ts': 'shares of the start, of the falls that it is handed',
  'src/research/report/sections/charts.ts': 'shares of the start, point by point',
  'src/research/report/fold/run-details.ts': 'a column of a chart, from doubles that it is handed',
};

/** Figures about money that are reckoned outside of the ledger. */
export function countsMoneyInTheLedger(
  sources: readonly Source[],
  exceptions: Readonly<Record<string, string>> = moneyExceptions,
): readonly string[] {
  return sources.flatMap((source) => (exceptionOf(source, exceptions) === undefined ? foundIn(source) : []));
}

/** Exceptions of which nothing would be found. */
export function usesItsMoneyExceptions(sources: readonly Source[]): readonly string[] {
  const used = new Set(
    sources.flatMap((source) => (foundIn(source).length > 0 ? exceptionOf(source, moneyExceptions) : [])),
  );
  return Object.keys(moneyExceptions).filter((path) => !used.has(path));
}

/** Amounts of a page come from the server as they are shown. */
export function pageReckonsNoMoney(pages: readonly Source[]): readonly string[] {
  const names =
    '(?:profit|drawdown|equity|balance|reserved|available|price|bid|ask|offer|fees?|charges|realized|unrealized|worth|pnl|cash)';
  const value = `(?:Number\\(\\s*[\\w.]*\\b${names}\\w*\\s*\\)|[\\w.]*\\b${names})`;
  const arithmetic = new RegExp(
    `(?:^|[^\\w.'])${value}\\s+[-+*/]\\s|\\s[-+*/]\\s+${value}(?![\\w'(])|[-+*/]=\\s*${value}(?![\\w'(])|\\b${names}\\w*\\s*[-+*/]=`,
    'i',
  );
  return pages.flatMap(({ path, text }) =>
    bare(text)
      .split('\n')
      .flatMap((line, at) =>
        arithmetic.test(line) ? [`${path}:${at + 1} reckons with money: ${line.trim()}`] : [],
      ),
  );
}

function exceptionOf({ path }: Source, exceptions: Readonly<Record<string, string>>): string | undefined {
  return Object.keys(exceptions).find((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
}

function foundIn({ path, text }: Source): readonly string[] {
  return bare(text)
    .split(/(?<=[;{}])\s*\n/)
    .flatMap((statement) =>
      shapes.flatMap(([what, shape]) =>
        shape.test(statement) ? [`${path} reckons ${what}, which is the ledger's: ${shown(statement)}`] : [],
      ),
    );
}

function shown(statement: string): string {
  return statement.trim().replace(/\s+/g, ' ').slice(0, 120);
}
