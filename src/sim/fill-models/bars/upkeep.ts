import type { BarAccount } from './account.ts';
import type { BarFundingParts } from './funding.ts';
import { BarFunding } from './funding.ts';
import type { BarLiquidationParts } from './liquidation.ts';
import { BarLiquidation } from './liquidation.ts';
import { BarMargin } from './margin.ts';
import type { BarRules } from './rules.ts';

/** What a margin account is put through besides executions; each only where the rules ask for it. */
export interface BarUpkeep {
  readonly liquidation: BarLiquidation | undefined;
  readonly funding: BarFunding | undefined;
}

type UpkeepParts = Omit<BarLiquidationParts & BarFundingParts, 'account' | 'liquidation'>;

/** What the rules ask for. */
export function barUpkeep(account: BarAccount, { account: rules }: BarRules, parts: UpkeepParts): BarUpkeep {
  if (rules.kind !== 'margin' || !(account instanceof BarMargin))
    return { liquidation: undefined, funding: undefined };
  const liquidation =
    rules.liquidation === undefined
      ? undefined
      : new BarLiquidation(rules.liquidation.rate, { ...parts, account });
  const funding =
    rules.funding === undefined
      ? undefined
      : new BarFunding(rules.funding, { ...parts, account, liquidation });
  return { liquidation, funding };
}
