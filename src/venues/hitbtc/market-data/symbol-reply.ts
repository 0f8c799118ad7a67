import { BadInput } from '../../../core/base/errors.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import { parseFrame } from '../wire/json.ts';
import { decodeV2Symbols } from '../wire/v2/symbols.ts';
import { decodeV3Symbols } from '../wire/v3/symbols.ts';

/**
 * The specs in the reply of a symbol list, in the order of the list. Throws `BadInput` naming `path` when it is no such
 * reply of API v2 or v3. Source: API v3, "Symbol"; API v2, "Symbol".
 */
export function specsOfReply(frame: Frame, path: string): readonly InstrumentSpec[] {
  const decode = frame.channel === 'v2/rest' ? decodeV2Symbols : decodeV3Symbols;
  if (frame.channel !== 'v2/rest' && frame.channel !== 'v3/rest') {
    throw new BadInput(`${path}: expected a REST reply of API v2 or v3, found a frame of ${frame.channel}`);
  }
  try {
    return decode(parseFrame(frame.bytes));
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${path}: ${error.message}`, { cause: error });
    throw error;
  }
}
