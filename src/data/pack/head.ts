import { encodeFileHead } from '../recording/block-file.ts';
import type { PackHeader } from './event.ts';
import { packMagic } from './event.ts';

/** Room in the head for what is only known at the end. */
const reserveBytes = 4_096;

/** What a reader of results should know, known when the source was read through. */
export type PackClosing = Pick<PackHeader, 'findings' | 'proof'>;

/** The head of a pack with room for its closing words. */
export function openHead(header: PackHeader): Uint8Array {
  return encodeFileHead(packMagic, { ...header, reserve: ' '.repeat(reserveBytes) });
}

/** The same head, of the same length, with the closing words in the room; findings that do not fit are counted. */
export function closedHead(header: PackHeader, closing: PackClosing): Uint8Array {
  const { length } = openHead(header);
  const all = closing.findings ?? [];
  for (let kept = all.length; kept >= 0; kept--) {
    const left = all.length - kept;
    const findings = left === 0 ? all : [...all.slice(0, kept), `${left} more kinds of findings`];
    const told = { ...header, ...closing, findings, reserve: '' };
    const room = length - encodeFileHead(packMagic, told).length;
    if (room >= 0) return encodeFileHead(packMagic, { ...told, reserve: ' '.repeat(room) });
  }
  return openHead(header);
}
