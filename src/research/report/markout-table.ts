import { basisPointText } from './figure-text.ts';
import type { Markout, Markouts } from './markouts.ts';
import type { ReportTable } from './document.ts';

/** Every look of the markout curve in numbers; nothing without fills. */
export function markoutTable(markouts: Markouts): readonly ReportTable[] {
  const all = markouts.result('all');
  const makers = markouts.result('maker');
  const takers = markouts.result('taker');
  if (all.every(({ count }) => count === 0)) return [];
  return [
    {
      title: 'Markouts',
      definition:
        'How far the mid had moved our way so long after a fill, from the price of the fill, weighted by value, with 1.96 standard errors. 0 s is what was earned against the mid at the fill.',
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
