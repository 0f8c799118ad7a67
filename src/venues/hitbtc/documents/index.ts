/** The exchange's interface as documents, for generators of clients. */
export { restDocument } from './rest.ts';
export { socketDocument } from './sockets.ts';
