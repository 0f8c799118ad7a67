import { describe, expect, test } from 'vitest';
import { BrokenInvariant } from '../../../src/core/base/errors.ts';
import { Mailbox } from '../../../src/core/base/mailbox.ts';

describe('a mailbox', () => {
  test('handles what is posted during handling afterwards, in order', () => {
    const seen: number[] = [];
    const mailbox = new Mailbox<number>((message) => {
      if (message < 10) {
        mailbox.post(message * 10 + 1);
        mailbox.post(message * 10 + 2);
      }
      seen.push(message);
    });
    mailbox.post(1);
    mailbox.post(2);
    expect(seen).toEqual([1, 11, 12, 2, 21, 22]);
  });

  test('keeps order through growth', () => {
    const seen: number[] = [];
    const mailbox = new Mailbox<number>((message) => {
      if (message === 0) for (let i = 1; i <= 1_000; i++) mailbox.post(i);
      seen.push(message);
    });
    mailbox.post(0);
    expect(seen).toEqual(Array.from({ length: 1_001 }, (_, index) => index));
  });

  test('goes on with what waits after a handler threw', () => {
    const seen: number[] = [];
    const mailbox = new Mailbox<number>((message) => {
      if (message === 1) {
        mailbox.post(2);
        throw new Error('boom');
      }
      seen.push(message);
    });
    expect(() => mailbox.post(1)).toThrow('boom');
    mailbox.post(3);
    expect(seen).toEqual([2, 3]);
  });

  test('refuses to grow without bound', () => {
    const mailbox = new Mailbox<number>(() => {
      for (let i = 0; i < 11; i++) mailbox.post(i);
    }, 10);
    expect(() => mailbox.post(0)).toThrow(BrokenInvariant);
  });
});
