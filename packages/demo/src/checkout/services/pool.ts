// A pool of real TCP connections to the database: one query per connection at a time, the others wait in line.
// Its size may change while it works. Node; knows no service.
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

type Waiter = { take: (connection: Socket) => void; fail: (error: Error) => void; timer: NodeJS.Timeout };

/** No connection became free in time. */
export class PoolTimeout extends Error {
  override name = 'PoolTimeout';
}

export class ConnectionPool {
  readonly #port: number;
  readonly #acquireTimeoutMs: number;
  #size: number;
  #open = 0;
  #idle: Socket[] = [];
  #waiting: Waiter[] = [];

  constructor(options: { port: number; size: number; acquireTimeoutMs: number }) {
    this.#port = options.port;
    this.#size = options.size;
    this.#acquireTimeoutMs = options.acquireTimeoutMs;
  }

  get figures(): { size: number; inUse: number; waiting: number } {
    return { size: this.#size, inUse: this.#open - this.#idle.length, waiting: this.#waiting.length };
  }

  /** Takes effect at once for free connections; busy ones above the size close when their query ends. */
  resize(size: number): void {
    this.#size = size;
    while (this.#open > size) {
      const spare = this.#idle.pop();
      if (spare === undefined) break;
      this.#close(spare);
    }
    for (let free = size - this.#open; free > 0; free--) this.#openForNextWaiter();
  }

  /** Sends one line and answers with the database's line. Throws PoolTimeout when no connection became free. */
  async query(line: string): Promise<string> {
    const connection = await this.#acquire();
    try {
      return await ask(connection, line);
    } finally {
      this.#release(connection);
    }
  }

  async #acquire(): Promise<Socket> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#open < this.#size) return this.#connect();
    return new Promise((take, fail) => {
      const waiter = { take, fail, timer: setTimeout(() => this.#giveUp(waiter), this.#acquireTimeoutMs) };
      this.#waiting.push(waiter);
    });
  }

  #giveUp(waiter: Waiter): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter);
    waiter.fail(new PoolTimeout(`no database connection within ${this.#acquireTimeoutMs} ms`));
  }

  async #connect(): Promise<Socket> {
    this.#open += 1;
    const connection = connect(this.#port, '127.0.0.1').setNoDelay(true);
    try {
      await once(connection, 'connect');
    } catch (error) {
      this.#open -= 1;
      throw error;
    }
    // an idle connection may break: without a listener that would end the service
    connection.on('error', () => connection.destroy());
    return connection;
  }

  #release(connection: Socket): void {
    if (connection.destroyed || this.#open > this.#size) {
      this.#close(connection);
      if (this.#open < this.#size) this.#openForNextWaiter();
      return;
    }
    const next = this.#nextWaiter();
    if (next === undefined) this.#idle.push(connection);
    else next.take(connection);
  }

  #openForNextWaiter(): void {
    const next = this.#nextWaiter();
    if (next !== undefined) this.#connect().then(next.take, next.fail);
  }

  #nextWaiter(): Waiter | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) clearTimeout(next.timer);
    return next;
  }

  #close(connection: Socket): void {
    this.#open -= 1;
    connection.destroy();
  }
}

/** One line out, one line back. The listeners go with the answer: a connection lives for thousands of queries. */
function ask(connection: Socket, line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      connection.off('close', onClose);
      resolve(chunk.toString().trim());
    };
    const onClose = (): void => {
      connection.off('data', onData);
      reject(new Error('the database closed the connection'));
    };
    connection.once('data', onData).once('close', onClose);
    connection.write(`${line}\n`);
  });
}
