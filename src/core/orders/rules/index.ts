/** Rules of the order manager, one row each. */
export { identity } from './identity.ts';
export { listDenial } from './list.ts';
export { productDenial } from './product.ts';
