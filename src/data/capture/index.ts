/** Captures of market data to instruments and text. */
export { openCaptureRecording } from './recording.ts';
export { looksLikeCapture } from './text.ts';
