import type { BarAccount } from './account.ts';
import type { BarFundingDeps } from './funding.ts';
import { BarFunding } from './funding.ts';
import type { BarLiquidationDeps } from './liquidation.ts';
import { BarLiquidation } from './liquidation.ts';
import { BarMargin } from './margin.ts';
import type { BarRules } from './rules.ts';

/** Liquidation and funding of a margin account; each only where the rules ask for it. */
export interface SessionRoll {
  readonly liquidation: BarLiquidation | undefined;
  readonly funding: BarFunding | undefined;
}

type SessionRollParts = Omit<BarLiquidationDeps & BarFundingDeps, 'account' | 'liquidation'>;

/** Builds what the rules ask for. */
export function sessionRollOf(
  account: BarAccount,
  { account: rules }: BarRules,
  parts: SessionRollParts,
): SessionRoll {
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
