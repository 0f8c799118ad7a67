/** Recorded frames of a venue. */
export { captureFormats } from './formats.ts';
export { openFrameLogRecording } from './log-recording.ts';
export type { RecordedRun } from './log.ts';
export { frameLogMagic, readFrameLog, recordedRuns } from './log.ts';
export { Recorder } from './recorder.ts';
export { FrameReplay, findingsOf, sumCounters } from './replay.ts';
