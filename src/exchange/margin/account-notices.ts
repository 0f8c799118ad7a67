import type { MarginOutcome } from '../matching/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { MarginAccountView, MarginReportType, PositionView } from '../../core/model/margin.ts';
import type { MarginProductName } from '../../core/model/product.ts';
import type { MarginObjects } from '../../venues/hitbtc/wire/resources/index.ts';
import { closedPosition } from './product-service.ts';

/** A change of an account. */
type AccountNotice = Pick<MarginOutcome, 'view' | 'reportType' | 'reason'>;

export interface AccountNoticesParts {
  readonly product: MarginProductName;
  readonly instruments: Instruments;
  readonly objects: MarginObjects;
  /** Accounts as the subscriber knows them at the start. */
  readonly accounts: readonly MarginAccountView[];
  readonly send: (method: string, params: object) => void;
}

/**
 * Sends what changes in the accounts of a product. A cross account of futures has notices of its own: `futures_account_cross`
 * with the account, then one `futures_position_cross` for each position that changed. A change of AMR is a report of the
 * position on isolated margin, of the account on cross margin.
 * Source: v3-gaps, sections 2.4 and 2.5; API v3, "AMR rules"; names and contents of these notices: docs/assumptions.md.
 */
export function accountNotices({
  product: name,
  instruments,
  objects,
  accounts,
  send,
}: AccountNoticesParts): { onMargin(report: AccountNotice): void } {
  const known = new Map<number, PositionView>();
  const isCrossNotice = (outcome: Pick<AccountNotice, 'view'>) =>
    name === 'futures' && outcome.view.mode === 'cross';
  for (const view of accounts)
    if (isCrossNotice({ view })) for (const position of view.positions) known.set(position.id, position);
  const noticePosition = (
    position: PositionView,
    reportType: MarginReportType,
    { reason }: Pick<AccountNotice, 'reason'>,
  ) =>
    send(
      position.mode === 'cross' ? `${name}_position_cross` : `${name}_position`,
      objects.position(position, { reportType, reason }),
    );
  return {
    onMargin(outcome) {
      const { mode, positions } = outcome.view;
      if (outcome.reason === 'amrChanged' && mode === 'isolated' && positions.length > 0) {
        for (const position of positions) noticePosition(position, outcome.reportType, outcome);
        return;
      }
      const account = objects.report(outcome);
      if (!isCrossNotice(outcome)) {
        send(`${name}_account`, account);
        return;
      }
      send(`${name}_account_cross`, account);
      // Reports of orders come first, and show the account as it is at the end of the command.
      if (outcome.reason === 'updated') return;
      const { view } = outcome;
      for (const [id, before] of known) {
        const isOf = instruments.at(before.instrument).spec.quoteCurrency === view.currency;
        if (!isOf || view.positions.some((position) => position.id === id)) continue;
        known.delete(id);
        noticePosition(closedPosition(before, view.updatedAt), 'closed', outcome);
      }
      for (const position of view.positions) {
        const before = known.get(position.id);
        known.set(position.id, position);
        if (before === undefined) noticePosition(position, 'created', outcome);
        else if (before.updatedAt !== position.updatedAt || before.quantity !== position.quantity)
          noticePosition(position, 'updated', outcome);
      }
    },
  };
}
