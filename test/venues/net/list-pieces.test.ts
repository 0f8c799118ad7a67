import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { ListPieces, pieceRows } from '../../../src/venues/net/list-pieces.ts';

const random = new Random('list pieces');

/** What is made of a text whose bytes come in chunks of any size. */
function piecesOf(text: string): readonly string[] {
  const pieces = new ListPieces();
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length;) {
    const to = from + random.between(1, 400);
    pieces.add(bytes.subarray(from, to));
    from = to;
  }
  return pieces.texts().map((piece) => Buffer.from(piece).toString());
}

function listOf(count: number): readonly object[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    text: `],"[é{\\ ${'\\'.repeat(id % 4)}`,
    nested: [[id, [','], {}], { a: [1, 2] }],
  }));
}

describe('pieces of a list', () => {
  test.each([pieceRows + 1, pieceRows * 3, pieceRows * 3 + 7])(
    '%i rows keep their order and their values',
    (count) => {
      const rows = listOf(count);
      for (const text of [JSON.stringify(rows), ` \n${JSON.stringify(rows, undefined, 2)}\n`]) {
        const pieces = piecesOf(text).map((piece) => JSON.parse(piece) as unknown[]);
        expect(pieces.map(({ length }) => length)).toEqual(
          Array.from({ length: Math.ceil(count / pieceRows) }, (_, at) =>
            Math.min(pieceRows, count - at * pieceRows),
          ),
        );
        expect(pieces.flat()).toEqual(rows);
      }
    },
  );

  test.each([
    '[]',
    '',
    ' ',
    '{"a":[1,2,3]}',
    'null',
    JSON.stringify(listOf(pieceRows)),
    JSON.stringify({ rows: listOf(900) }),
  ])('what is no long list stays as it is: %.30s', (text) => {
    expect(piecesOf(text)).toEqual([text]);
  });

  test.each([1, 5, 5_000])(
    'a list that lacks its last %i bytes stays as it is, and can not be read',
    (missing) => {
      const text = JSON.stringify(listOf(pieceRows * 2 + 10)).slice(0, -missing);
      expect(piecesOf(text)).toEqual([text]);
    },
  );

  test('what follows a list makes its last piece unreadable', () => {
    const last = piecesOf(`${JSON.stringify(listOf(pieceRows + 1))}[1]`).at(-1) ?? '';
    expect(() => JSON.parse(last) as unknown).toThrow(SyntaxError);
  });
});
