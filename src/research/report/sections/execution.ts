import { amountToNumber } from '../../../core/base/amount.ts';
import type { FigureKey, ReportFigure, ReportSection, ReportTable } from '../document/index.ts';
import {
  absent,
  amountText,
  basisPointText,
  durationText,
  numberText,
  percentText,
  ratioText,
  sampled,
  figureWith,
} from '../document/index.ts';
import { markoutSeconds } from '../fold/index.ts';
import type { MoneyPart } from './money.ts';
import type { OrderStatistics, Reservoir, RunDetails, Summary, Markout } from '../fold/index.ts';

const needed = 30;

const onBars = 'bars have no book, no queue and no latency';

export function executionSection(
  summary: Summary,
  details: RunDetails,
  parts: readonly MoneyPart[],
): ReportSection {
  const { orders } = details;
  const known = figuresOf(summary, details);
  const figures = details.onBars
    ? known.map((figure) => (needsBook.has(figure.key) ? absent(figure.key as FigureKey, onBars) : figure))
    : known;
  const all = [...figures, volumeShare(summary), ...waitFigures(details), ...parts.map(roundingFigure)];
  return { key: 'execution', title: 'Execution', figures: all, tables: [...refusals(summary, orders)] };
}

/** Figures that need a book. */
const needsBook: ReadonlySet<string> = new Set<FigureKey>([
  'execution.queueAhead',
  'execution.queueAhead90',
  'execution.markout1',
  'execution.markout10',
  'execution.markout60',
  'execution.ack50',
  'execution.ack99',
]);

function figuresOf(summary: Summary, details: RunDetails): readonly ReportFigure[] {
  const { orders } = details;
  const { acknowledged, timeToFill, queueAhead } = orders;
  const counts = summary.tally.counts();
  const fills = summary.holdings().reduce((sum, { position }) => sum + position.fillCount, 0);
  const makers = summary.holdings().reduce((sum, { makerFills }) => sum + makerFills, 0);
  const ended = counts.canceled + counts.expired + counts.filled + counts.replaced;
  const messages = counts.placed + counts.cancels;
  const count = (key: FigureKey, value: number): ReportFigure =>
    figureWith(key, String(value), { number: value });
  return [
    count('execution.orders', counts.placed),
    count('execution.fills', fills),
    share('execution.fillRatio', counts.endedWithFill, ended, 'ended orders'),
    share('execution.makerShare', makers, fills, 'fills'),
    sampled(
      'execution.orderToTrade',
      { have: fills, needed: 1, what: 'fills', value: () => messages / fills },
      ratioText,
    ),
    quantile('execution.timeToFill', timeToFill, 0.5, durationText),
    quantile('execution.timeToFill99', timeToFill, 0.99, durationText),
    quantile('execution.queueAhead', queueAhead, 0.5, timesText),
    quantile('execution.queueAhead90', queueAhead, 0.9, timesText),
    ...markoutFigures(details),
    slippage('execution.slippageTaker', orders.takerSlippage, 'taking fills'),
    slippage('execution.slippageMaker', orders.makerSlippage, 'resting fills'),
    quantile('execution.ack50', acknowledged, 0.5, durationText),
    quantile('execution.ack99', acknowledged, 0.99, durationText),
    count('execution.denied', counts.denied),
    count('execution.rejected', counts.rejected),
    count('execution.unknown', counts.unknown),
    count('execution.postOnly', orders.postOnlyExpired),
  ];
}

function volumeShare({ signs: { shareMax: value } }: Summary): ReportFigure {
  if (value === undefined) return absent('execution.volumeShare', 'no fills beside volumes of the data');
  return Number.isFinite(value)
    ? figureWith('execution.volumeShare', percentText(value), { number: value })
    : absent('execution.volumeShare', 'nothing was traded where orders filled');
}

function waitFigures({ orders, waits }: RunDetails): readonly ReportFigure[] {
  if (waits === undefined) return [absent('execution.waits', 'waits at the gate were not watched')];
  const { count, total, longest } = waits;
  const head = figureWith('execution.waits', `${count} of ${orders.commands} commands`, { number: count });
  if (count === 0) return [head];
  return [
    head,
    figureWith('execution.waitTotal', durationText(total), { number: total }),
    figureWith('execution.waitLongest', durationText(longest), { number: longest }),
  ];
}

function roundingFigure({ measures, group }: MoneyPart): ReportFigure {
  const { rounding, currency } = measures;
  return figureWith('execution.rounding', amountText(rounding, currency), {
    number: amountToNumber(rounding),
    group,
  });
}

function markoutFigures({ markouts }: RunDetails): readonly ReportFigure[] {
  const results = markouts.result('all');
  const wanted: readonly (readonly [FigureKey, number])[] = [
    ['execution.markout1', 1],
    ['execution.markout10', 10],
    ['execution.markout60', 60],
  ];
  return wanted.map(([key, after]) => {
    const found = results[markoutSeconds.findIndex((one) => one === after)];
    const { count: have = 0, mean = Number.NaN, error = Number.NaN } = found ?? {};
    const print = (value: number): string => `${basisPointText(value)} ± ${basisPointText(1.96 * error)}`;
    return sampled(
      key,
      { have, needed, what: 'fills with a mid price so long after', value: () => mean },
      print,
    );
  });
}

function share(key: FigureKey, part: number, whole: number, what: string): ReportFigure {
  return sampled(key, { have: whole, needed, what, value: () => part / whole }, percentText);
}

function quantile(
  key: FigureKey,
  of: Reservoir,
  part: number,
  print: (value: number) => string,
): ReportFigure {
  // The 99th percentile of fewer than a hundred is the largest of them: it needs more.
  const least = part === 0.99 ? 100 : needed;
  return sampled(
    key,
    { have: of.count, needed: least, what: 'orders', value: () => of.quantile(part) },
    print,
  );
}

function slippage(
  key: FigureKey,
  of: { readonly count: number; readonly mean: number },
  what: string,
): ReportFigure {
  return sampled(key, { have: of.count, needed, what, value: () => of.mean }, basisPointText);
}

function timesText(value: number): string {
  return `${numberText(Number(value.toPrecision(4)))} ×`;
}

function refusals(summary: Summary, orders: OrderStatistics): readonly ReportTable[] {
  const rows = [
    ...[...summary.tally.denials].map(([code, count]) => ['us', code, String(count)]),
    ...[...orders.rejections].map(([reason, count]) => ['the venue', reason, String(count)]),
  ];
  if (rows.length === 0) return [];
  return [
    {
      title: 'Refusals by reason',
      definition:
        'Intents our controls refused, by the code of the rule; orders the venue refused, by its code.',
      columns: ['by', 'reason', 'count'],
      words: 2,
      rows,
    },
  ];
}

/** Every look of the markout curve in numbers; nothing without fills. */
export function markoutTable({
  markouts,
  corrections,
}: Pick<RunDetails, 'markouts' | 'corrections'>): readonly ReportTable[] {
  const all = markouts.result('all');
  const makers = markouts.result('maker');
  const takers = markouts.result('taker');
  if (all.every(({ count }) => count === 0)) return [];
  return [
    {
      title: 'Markouts',
      definition:
        'How far the mid had moved our way so long after a fill, from the price of the fill, weighted by value, with 1.96 standard errors. 0 s is what was earned against the mid at the fill.' +
        (corrections === 0
          ? ''
          : ` It counts ${corrections} fills as they were reported, which were withdrawn or corrected since.`),
      columns: ['after', 'fills', 'all', 'maker', 'taker'],
      rows: all.map((look, i) => [
        `${look.seconds} s`,
        String(look.count),
        text(look),
        text(makers[i]),
        text(takers[i]),
      ]),
    },
  ];
}

function text(look: Markout | undefined): string {
  if (look === undefined || look.count === 0) return '';
  return `${basisPointText(look.mean)} ± ${basisPointText(1.96 * look.error)}`;
}
