import type { BarAccount } from './bar-account.ts';
import type { BarFundingParts } from './bar-funding.ts';
import { BarFunding } from './bar-funding.ts';
import type { BarLiquidationParts } from './bar-liquidation.ts';
import { BarLiquidation } from './bar-liquidation.ts';
import { BarMargin } from './bar-margin.ts';
import type { BarRules } from './bar-rules.ts';

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
