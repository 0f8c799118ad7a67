import type { Clock } from '../../../../core/base/clock.ts';
import type { Channel, Direction, Frame } from '../../../../core/model/frame.ts';

/** The frames of one channel: who stamps them, and who records them. */
export interface FrameSource {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly onFrame: ((frame: Frame) => void) | undefined;
}

/** A frame received or sent now unless a time is given. It is recorded before it is returned. */
export function makeFrame(
  { channel, clock, onFrame }: FrameSource,
  direction: Direction,
  content: Uint8Array | string,
  receiveTime = clock.now(),
): Frame {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const frame: Frame = { channel, direction, receiveTime, bytes };
  onFrame?.(frame);
  return frame;
}

/** Records a frame that only a recording needs: nothing is made when there is none. */
export function recordFrame(source: FrameSource, direction: Direction, text: string): void {
  if (source.onFrame !== undefined) makeFrame(source, direction, text);
}
