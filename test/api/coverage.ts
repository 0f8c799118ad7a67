import { clientChannelRows, clientRestRows, clientSocketRows } from './client-rows.ts';
import { exchangeRows } from './exchange-rows.ts';
import type { DocumentRow } from './rows.ts';
import { documentRows, nameOf, testsByRow } from './rows.ts';

/** A row, and who has it. */
export interface Covered {
  readonly row: DocumentRow;
  readonly name: string;
  /** The call of the typed client; empty when it has none. */
  readonly client: string;
  readonly exchange: boolean;
  /** Where it is tested; empty when nobody said. */
  readonly test: string;
}

/** Every row of the documents, with what client and exchange have of it, asked of them in process. */
export async function coverage(): Promise<readonly Covered[]> {
  const client = new Map([
    ...(await clientRestRows()),
    ...(await clientSocketRows()),
    ...clientChannelRows(),
  ]);
  const exchange = exchangeRows(documentRows);
  const tests = testsByRow();
  return documentRows.map((row) => {
    const name = nameOf(row);
    const has = { client: client.get(name) ?? '', exchange: exchange.has(name) };
    return {
      row,
      name,
      ...has,
      test: has.client !== '' && has.exchange ? (tests.get(name) ?? ownTest(row)) : '',
    };
  });
}

/** Every row has its round trip; where no slice reported a test of its own, that is the one to name. */
function ownTest({ kind, version }: DocumentRow): string {
  return `test/api/round-trip/${kind === 'rest' ? 'rest' : 'sockets'}-${version}.test.ts`;
}
