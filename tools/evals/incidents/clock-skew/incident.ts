// The clock of the machine that issues tokens runs ahead: the API refuses every token as one of the future. The process really
// has another time, in its tokens and in its log. A rotation of keys just before is a decoy.
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const clockSkew: IncidentModule = { start };

const skewMs = 423_000;
const key = 'shared by issuer and api';

async function start(system: System): Promise<StartedIncident> {
  const port = system.port();
  const service = join(import.meta.dirname, 'issuer-process.ts');
  const log = join(system.folder, 'logs/issuer.log');
  const issue = (ms: number) =>
    system.run('issuer-output', process.execPath, [service, String(port), log, key], {
      env: { CLOCK_AHEAD_MS: String(ms) },
    });
  const issuer = `http://127.0.0.1:${port}`;
  const api = system.log('api');
  const metrics = createMetrics();
  const count = metrics.counter('api_requests_total', 'Requests by HTTP status.');
  let [good, refused] = [0, 0];
  const request = async (): Promise<void> => {
    const token = (await (await fetch(`${issuer}/token`)).text()).trim();
    const reason = findFault(token);
    count(`{code="${reason === undefined ? 200 : 401}"}`);
    if (reason === undefined) good += 1;
    else if ((refused += 1) <= 200) api('WARN', `401 token refused reason="${reason}"`);
  };
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /time': (_, response) => respond(response, 200, `service=api now=${new Date().toISOString()}\n`),
    },
    api,
  );
  const first = issue(0);
  system.every(50, request);
  await until('accepted tokens', () => good > 8);
  await system.deploy('d-701', 'issuer', 'rotation of signing keys: kid=k7');
  first.kill('SIGKILL');
  // the machine was restarted, and its time service does not answer
  issue(skewMs);
  await until('refused tokens', () => refused > 20);
  return {
    task: [
      'All API calls get 401 since the issuer of tokens was restarted for its rotation of keys. Did the rotation go wrong?',
      'Find out. Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Api: ${url}/metrics and ${url}/time Issuer: ${issuer}/time`,
    ].join('\n'),
  };
}

/** Checks in the order of a JWT library: the signature, then the times. */
function findFault(token: string): string | undefined {
  const [head = '', body = '', signature] = token.split('.');
  const own = createHmac('sha256', key).update(`${head}.${body}`).digest('base64url');
  if (signature !== own) return 'signature does not match';
  const { iat, exp } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { iat: number; exp: number };
  const now = Math.floor(Date.now() / 1_000);
  if (iat > now + 5)
    return `signature valid, issued in the future: iat is ${iat - now} s ahead of this clock`;
  return exp < now ? 'expired' : undefined;
}
