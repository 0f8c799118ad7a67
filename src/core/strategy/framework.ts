/** The framework's side of strategies: loader, hosts and what a strategy is handed. `index.ts` is the authors' side. */
export type { CutSize } from './cut-sizes.ts';
export { CutSizes } from './cut-sizes.ts';
export type { StrategyDefinition } from './define.ts';
export type { FeedRequest } from './feed-request.ts';
export { DeclaredFeeds, plainFeed } from './feed-request.ts';
export type { HostSetting, KeptState, StrategyHost } from './host.ts';
export { importedFiles } from './imported-files.ts';
export type { LaunchDeps, LaunchedWorker } from './launch-worker.ts';
export { StrategyLate, launchGroup, launchWorker, loadTimeOf } from './launch-worker.ts';
export { hashStrategy, loadStrategy, strategyExists, strategyFile, strategyParts } from './loader.ts';
export { OrderApi } from './order-api.ts';
export { resolveOwnPackage } from './own-package.ts';
export {
  defaultParams,
  paramsSchemaText,
  readFeeds,
  readParams,
  readProducts,
  readSeriesRequests,
} from './params.ts';
export { packagesAbove } from './permissions.ts';
export type { ProgramPort, ProgramListener } from './program-host.ts';
export { ProgramHost } from './program-host.ts';
export { ThreadHost } from './thread-host.ts';
export { describeThrown, describeThrownAt } from './thrown.ts';
export { WorkerHost } from './worker-host.ts';
