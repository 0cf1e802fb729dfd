// Issues tokens by the clock of its machine, which CLOCK_AHEAD_MS sets: every date of this process, also in its log.
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import {
  respond,
  endWithParent,
  logTo,
  serve,
} from '../../../../packages/demo/src/checkout/services/service.ts';

endWithParent();
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0);
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string]) {
    super(given[0] ?? RealDate.now() + aheadMs);
  }
  static override now(): number {
    return RealDate.now() + aheadMs;
  }
} as DateConstructor;

const [port = '', logPath = '', key = ''] = process.argv.slice(2);
const log = logTo(logPath);
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(): string {
  const now = Math.floor(Date.now() / 1_000);
  const signed = `${encode({ alg: 'HS256', kid: 'k7' })}.${encode({ sub: 'shop', iat: now, exp: now + 3_600 })}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** Nobody listens on the discard port: the question is really refused. */
function askTime(): void {
  const socket = createSocket('udp4');
  socket.on('error', (error) => {
    log('WARN', `ntp: no answer of 127.0.0.1:9 (${error.message}), clock runs free`);
    socket.close();
  });
  socket.connect(9, '127.0.0.1', () => socket.send(Buffer.alloc(48)));
}

serve(
  {
    'GET /token': (_, response) => respond(response, 200, `${token()}\n`),
    'GET /time': (_, response) => respond(response, 200, `service=issuer now=${new Date().toISOString()}\n`),
  },
  log,
).listen(Number(port), '127.0.0.1', () => {
  log('INFO', 'started signing key kid=k7');
  if (aheadMs > 0) askTime();
});
