import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { FastifyError } from 'fastify';
import { Refused, refusedText } from './refused.ts';

/** Head of a request that Node reads, in bytes. */
export const headBytesMax = 16_384;
export const bodyBytesMax = 16_384;

const jsonHead = { 'Content-Type': 'application/json; charset=utf-8' };

/** Refusal for what the framework found wrong with a request, in the form of all others. `undefined` where the fault is ours. */
export function refusedByFramework({ code, statusCode = 500 }: Partial<FastifyError>): Refused | undefined {
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return new Refused(400, 'PATH', 'expected a path whose escapes are UTF-8, found another');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refused(414, 'PATH', `expected a path of at most ${headBytesMax} characters, found more`);
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refused(413, 'BODY', `expected a body of at most ${bodyBytesMax} bytes, found more`);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refused(415, 'BODY', 'expected a body of type application/json, found another type');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Refused(400, 'BODY', 'body: expected JSON, found nothing');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Refused(400, 'BODY', 'expected a body as long as its head says, found another length');
    default:
  }
  if (statusCode >= 500) return undefined;
  return statusCode === 400
    ? new Refused(400, 'BODY', 'body: expected JSON, found something else')
    : new Refused(
        statusCode,
        'REQUEST',
        `the request was refused: ${STATUS_CODES[statusCode] ?? statusCode}`,
      );
}

/** Answers what is no request that Node can read, and closes the connection. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: IncomingMessage['socket']): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const refused = unreadable(error.code);
    const { status } = refused;
    const body = refusedText(refused);
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${jsonHead['Content-Type']}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}

/** Answers a request that expects what Node does not do. */
export function answerExpectation(reply: ServerResponse): void {
  const body = refusedText(
    new Refused(417, 'HEAD', 'expected no header Expect but 100-continue, found another'),
  );
  reply.writeHead(417, { ...jsonHead, 'Content-Length': Buffer.byteLength(body) }).end(body);
}

function unreadable(code: string | undefined): Refused {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refused(408, 'TIMEOUT', 'expected a whole request, its head in 5 s and its body in 10 s');
    case 'HPE_HEADER_OVERFLOW':
      return new Refused(431, 'HEAD', `expected a head of at most ${headBytesMax} bytes, found more`);
    default:
      return new Refused(400, 'REQUEST', 'expected a request of HTTP/1.1, found something else');
  }
}
