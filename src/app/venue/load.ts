import { registerFrameFormat } from '../../data/frames/formats.ts';
import { hitbtcFrames } from '../../venues/hitbtc/market-data/frames.ts';

/** Makes recordings of the venues that come with Godwit readable. Every process and thread that opens recordings calls it first. */
export function registerVenues(): void {
  registerFrameFormat(hitbtcFrames);
}
