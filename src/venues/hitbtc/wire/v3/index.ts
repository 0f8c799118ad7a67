/** Requests, methods and frames of version 3. */
export type { V3Channel } from './channels.ts';
export { channels, v3FrameKinds } from './channels.ts';
export { encodeV3BalanceSubscribe, encodeV3Login, encodeV3ReportsSubscribe } from './order-requests.ts';
export type { V3ChannelNotice } from './public-notices.ts';
export { encodeV3Notification, readV3ChannelNotice, readV3Subscriptions } from './public-notices.ts';
export type { V3PublicRequest } from './public-requests.ts';
export {
  encodeV3PublicError,
  encodeV3Subscribe,
  encodeV3SubscribeReply,
  readV3PublicRequest,
  v3SubscriptionParams,
  v3PublicMethods,
} from './public-requests.ts';
export { v3OrderNoticeText, v3ReportText } from './report-text.ts';
export type { V3EndpointName, V3Params } from './rest.ts';
export { v3Endpoints } from './rest.ts';
export type { V3MethodName, V3MethodParams } from './socket-methods.ts';
export { v3Locations, v3Methods, v3Notices } from './socket-methods.ts';
