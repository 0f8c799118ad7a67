import { BadInput } from '../../../core/base/errors.ts';
import type { FrameFormat } from '../../../core/model/frame-format.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { parseFrame } from '../wire/json.ts';
import type { RefusedCodes } from '../wire/resources/symbol.ts';
import { decodeV2Symbols, decodeV3Symbols } from '../wire/resources/symbol.ts';
import { channelOf, hitbtcChannels } from './channels.ts';
import { MarketDataHandler } from './handler.ts';
import { PublicFrameSurvey } from './survey.ts';

/** Source: API v3, "Symbol"; API v2, "Symbol". */
const symbolList = /\/api\/[23]\/public\/symbol\/?(?:\?.*)?$/;

/** How recordings of this venue are read: the same handler that live frames go through. */
export const hitbtcFrames: FrameFormat = {
  venue: 'hitbtc',
  channels: hitbtcChannels,
  decoder: (options) => new MarketDataHandler(options),
  captures: {
    expected: 'an address of the Trading API v2 or v3',
    channelOf,
    isSymbolList: (url) => symbolList.test(url),
    isReply: (channel) => channel === 'v2/rest' || channel === 'v3/rest',
    specsOf: specsOfReply,
    survey: () => new PublicFrameSurvey(),
  },
};

/**
 * The specs in the reply of a symbol list, in the order of the list. Throws `BadInput` naming `path` when it is no such
 * reply of API v2 or v3. Source: API v3, "Symbol"; API v2, "Symbol".
 */
function specsOfReply(frame: Frame, path: string, refused?: RefusedCodes): readonly InstrumentSpec[] {
  const decode = frame.channel === 'v2/rest' ? decodeV2Symbols : decodeV3Symbols;
  if (frame.channel !== 'v2/rest' && frame.channel !== 'v3/rest') {
    throw new BadInput(`${path}: expected a REST reply of API v2 or v3, found a frame of ${frame.channel}`);
  }
  try {
    return decode(parseFrame(frame.bytes), refused);
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
