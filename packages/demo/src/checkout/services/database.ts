// The database of the incident: a line protocol over TCP. A charge takes `--query-ms`, and each connection does
// one query at a time; the catalog is large and slow to read, always. Node process.
import { createServer } from 'node:net';
import { endWithParent, listen, readArguments } from './service.ts';

endWithParent();
const queryMs = Number(readArguments(['query-ms'])('query-ms'));
const catalogMs = { least: 140, spread: 120 };

listen(
  createServer((connection) => {
    connection.setNoDelay(true);
    connection.on('error', () => connection.destroy());
    connection.on('data', (chunk) => {
      const isCatalog = chunk.toString().startsWith('catalog');
      const tookMs = isCatalog ? catalogMs.least + Math.random() * catalogMs.spread : queryMs;
      setTimeout(() => connection.write('ok\n'), tookMs);
    });
  }),
);
