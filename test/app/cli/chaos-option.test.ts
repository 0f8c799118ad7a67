import { expect, test } from 'vitest';
import { askedTroubles, listTroubles } from '../../../src/app/cli/chaos-option.ts';
import { troubleNames } from '../../../src/exchange/chaos/index.ts';

const seed = 5;

test('troubles are taken with their own seeds, and with that of the run', () => {
  expect(askedTroubles(['gap', 'late-order,7', 'gap,0'], { seed })).toEqual([
    { name: 'gap', seed: 0 },
    { name: 'late-order', seed: 7 },
  ]);
});

test.each([
  ['frozen-fed', 'did you mean frozen-feed?'],
  ['', '--chaos list prints them'],
  ['toString', '--chaos list prints them'],
  ['gap,x', 'expected NAME or NAME,SEED'],
  ['gap,-1', 'expected NAME or NAME,SEED'],
  ['gap,4294967296', 'expected NAME or NAME,SEED'],
  ['gap,1,2', 'expected NAME or NAME,SEED'],
])('%j is refused in one sentence', (text, sentence) => {
  const ask = (): unknown => askedTroubles([text], { seed });
  expect(ask).toThrow(sentence);
  expect(ask).toThrow(expect.objectContaining({ code: 'GW_USAGE' }));
});

test('a trouble that would change what reaches a venue is none of a gateway', () => {
  expect(() => askedTroubles(['late-order'], { seed, ofGateway: true })).toThrow(
    'what goes to the venue would change',
  );
  expect(askedTroubles(['timeout-accepted'], { seed, ofGateway: true })).toHaveLength(1);
});

test('the list has every name, and says which of them a gateway can have', () => {
  const lines: string[] = [];
  const output = { data: (line: string) => void lines.push(line), progress() {}, colour: false };
  expect(listTroubles(output, false)).toBe(0);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(troubleNames);
  expect(lines.filter((line) => /^\S+ +gateway /.test(line))).toHaveLength(11);
  lines.length = 0;
  listTroubles(output, true);
  expect(JSON.parse(lines[0] ?? '')).toContainEqual({
    name: 'restart',
    says: 'sockets close with 1012, and all is answered with 503 for a while; orders live on',
    gateway: true,
  });
});
