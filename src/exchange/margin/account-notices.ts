import type { MarginOutcome } from '../matching/index.ts';
import type { MarginReportType, PositionView } from '../../core/model/margin.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import type { Core } from '../base/index.ts';
import type { RpcSession } from '../sockets/index.ts';
import type { MarginProductService } from './product-service.ts';
import { closedPosition } from './product-service.ts';
import type { MarginWatcher } from './notices.ts';

/**
 * Sends a session what changes in the accounts of a product. A cross account of futures has notices of its own: `futures_account_cross`
 * with the account, then one `futures_position_cross` for each position that changed. A change of AMR is a report of the
 * position on isolated margin, of the account on cross margin.
 * Source: v3-gaps, sections 2.4 and 2.5; API v3, "AMR rules"; names and contents of these notices: docs/assumptions.md.
 */
export function accountNotices(
  core: Core,
  service: MarginProductService,
  session: RpcSession,
): MarginWatcher {
  const { instruments } = core;
  const { name } = service.product;
  const send = (method: string, params: object) =>
    session.connection.send(encodeRpcNotification(method, params));
  const known = new Map<number, PositionView>();
  const isCrossNotice = (outcome: Pick<MarginOutcome, 'view'>) =>
    name === 'futures' && outcome.view.mode === 'cross';
  const owner = session.account?.id;
  for (const view of owner === undefined ? [] : core.exchange.marginAccounts(service.product.of(owner)))
    if (isCrossNotice({ view })) for (const position of view.positions) known.set(position.id, position);
  const noticePosition = (
    position: PositionView,
    reportType: MarginReportType,
    { reason }: Pick<MarginOutcome, 'reason'>,
  ) =>
    send(
      position.mode === 'cross' ? `${name}_position_cross` : `${name}_position`,
      service.objects.v3.position(position, { reportType, reason }),
    );
  return {
    onMargin(outcome) {
      const { mode, positions } = outcome.view;
      if (outcome.reason === 'amrChanged' && mode === 'isolated' && positions.length > 0) {
        for (const position of positions) noticePosition(position, outcome.reportType, outcome);
        return;
      }
      const account = service.objects.v3.report(outcome);
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
