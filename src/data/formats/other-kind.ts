import { BadInput } from '../../core/base/errors.ts';

/** Rows of another kind than the table was taken for: nothing of it is worth keeping, however many came before. */
export class OtherKind extends BadInput {}
