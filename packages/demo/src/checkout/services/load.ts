// The customers: a steady number of checkouts a second, whether or not the shop keeps up, until the parent ends, because
// an approval may wait for hours, and metrics without customers would be empty then. Node process.
import { Agent, get } from 'node:http';
import { endWithParent, readArguments, ready } from './service.ts';

endWithParent();
const option = readArguments(['shop-port', 'per-second']);
const agent = new Agent({ keepAlive: true, maxSockets: 512 });
const everyMs = 20;
const perTick = (Number(option('per-second')) * everyMs) / 1_000;
let owed = 0;
let order = 0;

function checkOut(): void {
  order += 1;
  const url = `http://127.0.0.1:${option('shop-port')}/checkout?order=o-${String(order).padStart(6, '0')}`;
  const request = get(url, { agent, timeout: 5_000 }, (response) => response.resume());
  request.on('timeout', () => request.destroy());
  // the shop counts its own errors; a customer only leaves
  request.on('error', () => undefined);
}

let lastAt = performance.now();
setInterval(() => {
  const now = performance.now();
  owed = Math.min(owed + (perTick * (now - lastAt)) / everyMs, 50);
  lastAt = now;
  for (; owed >= 1; owed--) checkOut();
}, everyMs);
ready(Number(option('shop-port')));
