import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { connect as secure } from 'node:tls';
import type { Proxy } from '../../core/base/proxy.ts';

type Connected = (error: Error | null, socket?: Socket) => void;

/**
 * Opens a connection to a host through a proxy, by CONNECT, with TLS to the host for an address of `wss`. `done` is called
 * once: with the connection, or with what went wrong, in which no password of the proxy stands. Returns what gives it up.
 */
export function openTunnel(proxy: Proxy, url: string, done: Connected): () => void {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'wss:';
  const authority = `${hostname}:${port === '' ? (isSecure ? 443 : 80) : port}`;
  const ask = proxy.address.startsWith('https:') ? secureRequest : plainRequest;
  const asked = ask(proxy.address, {
    method: 'CONNECT',
    path: authority,
    headers: {
      host: authority,
      ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
    },
    agent: false,
  });
  let isDone = false;
  const end: Connected = (error, socket) => {
    if (isDone) return;
    isDone = true;
    done(error, socket);
  };
  const failed = (why: string) => end(new Error(`the proxy ${proxy.address} ${why}`));
  asked.once('connect', ({ statusCode }, given, head) => {
    const socket = given as Socket;
    if (statusCode !== 200) {
      socket.destroy();
      failed(`answered ${statusCode} to CONNECT`);
      return;
    }
    if (head.length > 0) socket.unshift(head);
    if (!isSecure) {
      end(null, socket);
      return;
    }
    const host = hostname.replace(/^\[|\]$/g, '');
    const sealed = secure({
      socket,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
    });
    sealed.once('secureConnect', () => end(null, sealed));
    sealed.once('error', (error) => end(error));
  });
  asked.once('response', ({ statusCode }) => {
    failed(`answered ${statusCode} to CONNECT`);
    asked.destroy();
  });
  asked.once('error', (error) => failed(`does not connect: ${error.message}`));
  asked.end();
  return () => asked.destroy();
}
