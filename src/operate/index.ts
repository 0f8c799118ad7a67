/** The operator's interface of a running daemon. */
export { unguessable } from './access.ts';
export { daily } from './daily.ts';
export type { LineKeeping, KeptHistory, KeptLines, KeptRows, RowKeeping } from './history/index.ts';
export type { NotificationsDeps } from './notifications.ts';
export { Notifications } from './notifications.ts';
export { operatorDocument } from './openapi.ts';
export type { DriftOptions } from './options.ts';
export { heldBy, obstacles } from './readiness.ts';
export type {
  AskedReload,
  DriftResult,
  DriftState,
  OperatedRun,
  OperatedSentinel,
  ReloadAnswer,
} from './run.ts';
export type { Explained, Status, StrategyRow } from './schemas.ts';
export type { KeptNews, NewsStore } from './sender.ts';
export { keptNewsShape } from './sender.ts';
export { addressName, checkReach, loopbackNames, readTls } from './reach.ts';
export { OperateServer } from './server.ts';
export { shownAt } from './shown-params.ts';
