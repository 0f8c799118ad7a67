import { openBinanceRecording } from '../binance/recording.ts';
import { openCaptureRecording } from '../capture/recording.ts';
import { openFrameLogRecording } from '../frames/log-recording.ts';
import { openPackRecording } from '../pack/recording.ts';
import type { Recording, RecordingOptions } from '../recording/contract.ts';
import { formatOfAll } from './recording-format.ts';

export type { Recording, RecordingOptions } from '../recording/contract.ts';

/**
 * Opens a recording, telling its format by its content: text captures, Binance raw files, our frame logs and packs, and
 * folders of frame logs. Several paths are one recording: days of Binance files in the given order; captures, logs
 * and packs merged by receive time.
 *
 * Throws `BadInput` with path, finding and expectation when a file cannot be read or is of no known format.
 */
export async function openRecording(
  paths: string | readonly string[],
  options: RecordingOptions = {},
): Promise<Recording> {
  const list = typeof paths === 'string' ? [paths] : paths;
  const format = await formatOfAll(list);
  switch (format) {
    case 'capture-text':
      return await openCaptureRecording(list, options);
    case 'binance-raw':
      return await openBinanceRecording(list, options);
    case 'frame-log':
      return openFrameLogRecording(list, options);
    case 'event-pack':
      return openPackRecording(list, options);
  }
}
