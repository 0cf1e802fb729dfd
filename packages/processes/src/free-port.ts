// Ports of loopback for programs that cannot say which one they took. Runs in Node.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { succeeds } from '@holdfast/base/succeeds';

const tries = 100;
/** Ports that this process has given or found taken: two that ask at once get two. */
const tried = new Set<number>();

/** Nothing listens on the port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return succeeds(once(probe.listen(port, '127.0.0.1'), 'listening')).finally(() => probe.close());
}

/**
 * A port between 20,000 and 32,099 that is free. Linux gives ports from 32,768 on to connections, one of which could take that of
 * a server that is started again. Rejects if a hundred in a row are taken.
 */
export async function freePort(): Promise<number> {
  const from = randomInt(20_000, 32_000);
  for (let port = from; port < from + tries; port++) {
    if (tried.has(port)) continue;
    tried.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(
    `No port from ${from} to ${from + tries - 1} is free: expected one for a server. Try again.`,
  );
}
