import { BadInput } from '../../core/base/errors.ts';
import type { CaptureFormat, FrameFormat } from '../../core/model/frame-format.ts';
import { runChannel } from '../../core/model/frame.ts';

// The venues whose frames can be read. The application registers them when a process or thread starts, since this folder
// knows no venue.
const formats = new Map<string, FrameFormat>();

/** Makes recordings of a venue readable. A second registration of the same venue replaces the first. */
export function registerFrameFormat(format: FrameFormat): void {
  formats.set(format.venue, format);
}

/** The format of frames that name these channels. Throws `BadInput` naming `path` when no registered venue has them. */
export function frameFormatOf(channels: readonly unknown[], path: string): FrameFormat {
  for (const format of formats.values()) {
    const known = new Set<unknown>([...format.channels, runChannel]);
    if (channels.every((channel) => known.has(channel))) return format;
  }
  throw new BadInput(
    `${path}: expected channels of the API in the header; the recording of a venue that is a file of its own is read with that file in GODWIT_VENUES, or in venue.module of the configuration`,
  );
}

/** The venues that text captures are read for. */
export function captureFormats(): readonly (FrameFormat & { readonly captures: CaptureFormat })[] {
  return [...formats.values()].filter(hasCaptures);
}

function hasCaptures(format: FrameFormat): format is FrameFormat & { readonly captures: CaptureFormat } {
  return format.captures !== undefined;
}
