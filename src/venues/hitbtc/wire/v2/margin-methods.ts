import { z } from 'zod';
import { textParam } from '../param-fields.ts';
import { v2ClosePositionParams, v2MarginAccountParams, v2MarginPutOrderParams } from './margin-params.ts';
import { v2ReplaceParams } from './trading-methods.ts';

const none = z.object({});

/** The margin methods of the v2 trading socket. Source: v2-gaps, section 6.1; API v2, "Socket methods". */
export const v2MarginMethods = {
  marginSubscribe: { right: 'R1', params: none },
  marginAccountsGet: { right: 'R1', params: none },
  marginAccountSet: { right: 'R2', params: v2MarginAccountParams },
  marginPositionClose: { right: 'R2', params: v2ClosePositionParams },
  marginOrdersGet: { right: 'R1', params: none },
  marginOrdersCancel: { right: 'R2', params: none },
  marginOrderNew: { right: 'R2', params: v2MarginPutOrderParams },
  marginOrderCancel: { right: 'R2', params: z.object({ clientOrderId: textParam }) },
  marginOrderCancelReplace: { right: 'R2', params: v2ReplaceParams },
} as const;
