import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpackLz4Frame } from '../../../../src/data/formats/feather/lz4-frame.ts';

/** A frame of the lz4 package of Python: blocks of 64 KiB that go on in one another, a checksum at the end; gzip as base64. */
const frame = gunzipSync(
  Buffer.from(
    'H4sIAAAAAAACA+2a32vTQBzA489NGAS2iVXGCmNKtbleLskld+Jo2RRkWCjoRMdQERHBB38wsVAQlcFeRIYMFFEYCILgHzCh' +
      'YBEdA2FPexYFQRGEiuCzd2mKW5lpbk22tM3Lh7vc3TfffJM2yafdPpCNHc2cW+iRpF8paf/otdk3n7YlsjcfF7/sTOZuPX37' +
      'dVfqZP75u29d6HRh7sMP2Th758Xiz25r4t7Lj+Xdh89PvVr6HRu6OK1ukeRhKRVHHBqHzmFwYA6Tw+IgHHRYAhCprCnPbmXL' +
      'PEIThi4MQxhYGKYwLGEQYVBBgDha3Jtip5E1BZmS7ZXIadmBIvCSmHn5X0lqut6jEGMPCDpfLWSAmpaXQeA7MRI7KmfE98hm' +
      '5iAQXFL5uC8nAWsWOwLJqxb6+gF1NGiCRiK4hNZfHwgmdHMD6mSeAMaJPocuU+n7UZcaGi0EaBi9YyAMeZhzvSA0RaH8KrG5' +
      'YghHaDuYETYW0LTU42Bz87B4HpbaOQLsZgQHaQubp0qKUx/Mb5JB7AZaVvXZcmOPkYgCElQqAKf//e46InjaiV4tBwkKkOAg' +
      '9wGJ2fcEBJd+Q6B+AFL0eQi4DGtd3a7D/Kmd+pZO2+JQblpVVfqnR5Li9ErKQ025iBFiGqnqZEYRXdZcZAdplPsVl2F8ZNx1' +
      '2JZ8F2YU3/Nybg7hL2Jk8vz0gfxdbMXGM1lW5NWT0sjS719NVjazDp6qaHW5Vgp2jii1a1veCrYVZnTuBOcJSGsWebhPYR1+' +
      '+dSRiKTunIC9YFUOxgYDk4P8nSaygWvIQU9asFRgXxxh84LQ0IodwNNE/foNdgBGq0nMSAw2AIjtXwxaTt1BTCYzIFKDLYa0' +
      'aeHxy8qmusEI/xN3uOpMWZObsWbLn5b7gT9qME2QujSgrNqgL7AXkgeXQJAeLyhXCAl+diysCi/kcjBO+QsJRfziWtv+8eeJ' +
      'On5RW05GhtAFiRz//52alSQJIj8CKjkVUUpZPOnE2KPbfwHtn+KjJCgAAA==',
    'base64',
  ),
);
const word = Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 37) % 256));
const content = Buffer.concat(
  Array.from({ length: 2_000 }, (_, at) => Buffer.concat([word, Buffer.from(String(at).padStart(6, '0'))])),
);

test('blocks that go on in one another are unpacked byte for byte', () => {
  expect(Buffer.from(unpackLz4Frame(frame, content.length)).equals(content)).toBe(true);
});

test('a frame that is cut, changed or of another length is refused, and never read beyond its content', () => {
  expect(() => unpackLz4Frame(frame.subarray(0, 5_000), content.length)).toThrow();
  expect(() => unpackLz4Frame(frame, content.length - 1)).toThrow();
  expect(() => unpackLz4Frame(frame, content.length + 1)).toThrow(/instead of/);
  expect(() => unpackLz4Frame(Buffer.from('no frame at all'), 10)).toThrow('no LZ4 frame');
});
