import { expect, test } from 'vitest';
import { operatorDocument } from '../../src/operate/openapi.ts';
import { openApiFaults } from '../support/openapi.ts';

test('the document is one that clients can be generated from', () => {
  expect(openApiFaults(operatorDocument('1.2.3'))).toEqual([]);
});
