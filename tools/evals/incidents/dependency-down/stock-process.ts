// The stock service: reads its file as it starts, and cannot live without it.
import { messageOf } from '@holdfast/base/message-of';
import { readFileSync } from 'node:fs';
import {
  respond,
  endWithParent,
  logTo,
  serve,
} from '../../../../packages/demo/src/checkout/services/service.ts';

endWithParent();
const [port = '', logPath = '', data = ''] = process.argv.slice(2);
const log = logTo(logPath);

function readItems(): Map<string, number> {
  const items = JSON.parse(readFileSync(data, 'utf8')) as { item: string; count: number }[];
  return new Map(items.map(({ item, count }) => [item, count]));
}

try {
  const items = readItems();
  serve(
    {
      'GET /stock': ({ searchParams }, response) =>
        respond(response, 200, `in stock: ${items.get(searchParams.get('item') ?? '') ?? 'unknown item'}\n`),
    },
    log,
  ).listen(Number(port), '127.0.0.1', () => log('INFO', `started items=${items.size}`));
} catch (error) {
  log('ERROR', `cannot start, data/stock.json is broken: ${messageOf(error)}`);
  // the line is written first
  setTimeout(() => process.exit(1), 50);
}
