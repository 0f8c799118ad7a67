import { basename } from 'node:path';
import { isL3Rule } from '../../sim/index.ts';
import type { BarFills } from './bar-fills.ts';
import { productsOf } from './margin-checks.ts';
import type { FundingTerms } from './position-terms.ts';
import type { Scenario } from './scenario.ts';
import { saidInstruments } from './sources.ts';

/** The fill model in words, for the head of a report. */
export function fillModelText(scenario: Scenario): string {
  const { fills } = scenario;
  switch (fills.model) {
    case 'shadow':
      return `queue ${fills.queue}, recorded market as shadow orders${positionsText(scenario)}`;
    case 'queue':
      return `queue ${isL3Rule(fills.queue) ? '' : 'estimate '}${fills.queue}, ${fills.partial ? 'partial fills' : 'whole fills only'}, ${fills.impact ? 'takes depth' : 'no impact'}${positionsText(scenario)}`;
    case 'module':
      return `module ${fills.module}${positionsText(scenario)}`;
    case 'bars':
      return barFillText(fills);
  }
}

/** Texts of positions, each once for several instruments. */
function positionsText(scenario: Scenario): string {
  const accounts = productsOf(scenario)
    .filter((product) => product !== 'spot')
    .join(' and ');
  const texts = saidInstruments(scenario).map(({ liquidation, funding, margin }) => {
    const closed = liquidation === undefined ? '' : `, ${liquidationText(liquidation.rate)}`;
    return closed + fundingText(funding) + interestText(margin?.interest);
  });
  return [...(accounts === '' ? [] : [`, ${accounts} accounts of the exchange`]), ...new Set(texts)].join('');
}

function interestText(terms: { readonly rate: string; readonly every: number } | undefined): string {
  return terms === undefined ? '' : `, interest ${terms.rate} every ${terms.every / 60_000_000} min`;
}

function liquidationText(rate: string): string {
  return `liquidation at ${rate} of the margin`;
}

function fundingText(terms: FundingTerms | { readonly file: string } | undefined): string {
  if (terms !== undefined && 'file' in terms) return `, funding of ${basename(terms.file)}`;
  return terms === undefined ? '' : `, funding ${terms.rate} every ${terms.every / 60_000_000} min`;
}

function barFillText({ market, path, limits, slippage, account }: BarFills): string {
  const worse = Number(slippage.rate) === 0 ? 'no slippage' : `slippage ${slippage.rate} on ${slippage.on}`;
  const rules = [marketTexts[market], `${path} path`];
  return (
    ['bars', ...rules, `limits ${limits}`, worse, ...accountTexts(account)].join(', ') +
    fundingText(account.kind === 'margin' ? account.funding : undefined)
  );
}

const marketTexts: Readonly<Record<BarFills['market'], string>> = {
  nextOpen: 'decided on the closed bar and filled at the next open (market: nextOpen)',
  open: 'filled at the open that the strategy was told (market: open)',
  close: 'filled at the close of the bar that was decided on (market: close)',
};

function accountTexts(account: BarFills['account']): readonly string[] {
  if (account.kind === 'spot') return ['spot account'];
  const { liquidation } = account;
  return ['margin account', ...(liquidation === undefined ? [] : [liquidationText(liquidation.rate)])];
}
