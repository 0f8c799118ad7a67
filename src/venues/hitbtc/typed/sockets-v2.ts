import type { Observable } from 'rxjs';
import type { SocketLine } from './sockets-line.ts';
import type { V2TradingLine } from './sockets-trading-line.ts';
import { V2SocketAccount } from './sockets-v2-account.ts';
import { V2SocketMarketData } from './sockets-v2-public.ts';
import { V2SocketTrading } from './sockets-v2-trading.ts';

/** One v2 connection, with the parts its location serves. Source: API v2, "What the service does"; v2-gaps, section 4. */
class V2Socket {
  readonly #line: V2TradingLine;

  constructor(line: V2TradingLine) {
    this.#line = line;
  }

  /** The connection: its state, and `ready()`. */
  get socket(): SocketLine {
    return this.#line.socket;
  }

  /** What was wrong with notifications that were passed over. */
  get faults$(): Observable<string> {
    return this.#line.notices.faults$;
  }

  close(): Promise<void> {
    return this.#line.socket.close();
  }
}

/** `/api/2/ws/public`. */
export class V2PublicSocket extends V2Socket {
  readonly market: V2SocketMarketData;

  constructor(line: V2TradingLine) {
    super(line);
    this.market = new V2SocketMarketData(line);
  }
}

/** `/api/2/ws/trading`. */
export class V2TradingSocket extends V2Socket {
  readonly trading: V2SocketTrading;

  constructor(line: V2TradingLine) {
    super(line);
    this.trading = new V2SocketTrading(line);
  }
}

/** `/api/2/ws/account`. */
export class V2AccountSocket extends V2Socket {
  readonly account: V2SocketAccount;

  constructor(line: V2TradingLine) {
    super(line);
    this.account = new V2SocketAccount(line);
  }
}

/** `/api/2/ws`, the combined location; deprecated by the document. */
export class V2CombinedSocket extends V2Socket {
  readonly market: V2SocketMarketData;
  readonly trading: V2SocketTrading;
  readonly account: V2SocketAccount;

  constructor(line: V2TradingLine) {
    super(line);
    this.market = new V2SocketMarketData(line);
    this.trading = new V2SocketTrading(line);
    this.account = new V2SocketAccount(line);
  }
}
