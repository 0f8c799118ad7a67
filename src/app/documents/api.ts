import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { operatorDocument } from '../../operate/index.ts';
import { restDocument, socketDocument } from '../../venues/hitbtc/documents/index.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { packageVersion } from '../process/package.ts';

/** Interface that is described: the operator's, or REST or sockets of the exchange. */
export type DescribedInterface =
  | { readonly kind: 'operator' }
  | { readonly kind: 'rest' | 'sockets'; readonly api: WireVersion };

/** `godwit openapi`: prints what a generator of clients takes. */
export function openApiCommand({
  described,
  output,
}: {
  readonly described: DescribedInterface;
  readonly output: Output;
}): number {
  output.data(JSON.stringify(documentOf(described), undefined, 2));
  return exitCodes.done;
}

function documentOf(described: DescribedInterface): object {
  const version = packageVersion();
  if (described.kind === 'operator') return operatorDocument(version);
  const { kind, api } = described;
  return kind === 'rest' ? restDocument(api, version) : socketDocument(api, version);
}
