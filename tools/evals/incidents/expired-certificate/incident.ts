// A real TLS server whose real certificate expires while billing works with it; its renewal failed. The deploy of billing,
// which updated a TLS library just before, is a decoy.
import { spawnSync } from 'node:child_process';
import { Agent, createServer, get } from 'node:https';
import { connect } from 'node:tls';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';
import { makeCertificate } from './certificate.ts';

export const expiredCertificate: IncidentModule = { start, lacks };

const name = 'payments.internal';
const validMs = 2_500;

function lacks(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl not installed';
}

async function start(system: System): Promise<StartedIncident> {
  const certificate = await makeCertificate(system, name, validMs);
  const payments = createServer(certificate, (_, response) => void response.end('charged\n'));
  const port = await system.listen(payments);
  const log = system.log('billing');
  const metrics = createMetrics();
  const count = metrics.counter('billing_charges_total', 'Charges by outcome.');
  let [good, failed] = [0, 0];
  // a resumed session is not verified again
  const agent = new Agent({ keepAlive: false, maxCachedSessions: 0 });
  const target = { host: '127.0.0.1', port, servername: name, ca: certificate.cert };
  const charge = (): void => {
    const request = get({ ...target, agent }, (response) => {
      response.resume();
      good += 1;
      count('{outcome="ok"}');
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      failed += 1;
      count('{outcome="failed"}');
      if (failed <= 200)
        log('ERROR', `charge failed host=${name} code=${error.code} reason="${error.message}"`);
    });
  };
  const probe = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect({ ...target, rejectUnauthorized: false }, () => {
        const { subject, valid_to } = socket.getPeerCertificate();
        resolve(`subject=${String(subject.CN)} not_after="${valid_to}" now="${new Date().toUTCString()}"\n`);
        socket.destroy();
      }).on('error', reject);
    });
  const url = await system.serve(
    {
      'GET /metrics': (_, response) => respond(response, 200, metrics.render()),
      'GET /debug/peer': async (_, response) => respond(response, 200, await probe()),
    },
    log,
  );
  const renewal = system.log('certificate-renewal');
  renewal(
    'ERROR',
    `renewal of ${name} failed, next try in 24 h: order refused, contact of the account is not confirmed`,
  );
  system.every(40, charge);
  await until('a charge', () => good > 5);
  await system.deploy('d-610', 'billing', 'release 4.4.0: newer TLS library');
  log('INFO', 'started release=4.4.0');
  await until('a failed charge', () => failed > 20);
  return {
    task: [
      'No charge goes through. billing was released a moment ago with a newer TLS library, payments swears that nothing',
      'changed on their side. Whose fault is it, and what exactly? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Billing: ${url}/metrics, and ${url}/debug/peer shows the certificate of its peer`,
    ].join('\n'),
  };
}
