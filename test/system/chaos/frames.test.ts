import { expect, test } from 'vitest';
import { FrameReader, textFrame } from './frames.ts';

test('frames are read from slices of any size, masked and not, of each kind of length, and what is no text stays as it is', () => {
  const texts = ['{}', 'x'.repeat(126), 'ü'.repeat(40_000)];
  for (const isMasked of [false, true]) {
    const ping = Buffer.from([0x89, 0]);
    const bytes = Buffer.concat([...texts.map((text) => textFrame(text, isMasked)), ping]);
    for (const size of [61, bytes.length]) {
      const reader = new FrameReader();
      const frames = [];
      for (let at = 0; at < bytes.length; at += size)
        frames.push(...reader.read(bytes.subarray(at, at + size)));
      expect(frames.map(({ text }) => text)).toEqual([...texts, undefined]);
      expect(Buffer.concat(frames.map(({ raw }) => raw)).equals(bytes)).toBe(true);
    }
  }
});

test('a mask is taken off, also of a frame that comes byte by byte', () => {
  const reader = new FrameReader();
  const frames = [0x81, 0x82, 1, 2, 3, 4, 0x41 ^ 1, 0x42 ^ 2].flatMap((byte) =>
    reader.read(Buffer.from([byte])),
  );
  expect(frames.map(({ text }) => text)).toEqual(['AB']);
});
