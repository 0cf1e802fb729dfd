// The service that remembers sessions, by the id of the request: each request adds one, and none is ever removed.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  respond,
  endWithParent,
  logTo,
  serve,
} from '../../../../packages/demo/src/checkout/services/service.ts';

endWithParent();
const [port = '', logPath = ''] = process.argv.slice(2);
const log = logTo(logPath);
const cache = new Map<string, number[]>();
let requests = 0;

function request(): void {
  requests += 1;
  cache.set(
    `request-${requests}`,
    Array.from({ length: 600 }, (_, index) => index / 3),
  );
}

const rss = (): number => process.memoryUsage.rss();
const figures = (): string => `entries=${cache.size} rss_bytes=${rss()} requests=${requests}`;

// steady: the load does not grow
setInterval(() => {
  for (let count = 0; count < 14; count += 1) request();
}, 10);
setInterval(() => log('INFO', `cache ${figures()} evicted=0`), 500);
serve(
  {
    'GET /metrics': (_, response) =>
      respond(
        response,
        200,
        [
          `process_resident_memory_bytes ${rss()}`,
          `sessions_cache_entries ${cache.size}`,
          'sessions_cache_evictions_total 0',
          `sessions_requests_total ${requests}\n`,
        ].join('\n'),
      ),
    'GET /watch': async (_, response) => {
      const before = figures();
      await sleep(1_000);
      respond(response, 200, `before: ${before}\nafter 1 s: ${figures()}\n`);
    },
  },
  log,
).listen(Number(port), '127.0.0.1', () => log('INFO', 'started release=9.0.0 max_old_space_mb=32'));
