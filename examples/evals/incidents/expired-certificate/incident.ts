// A real TLS server whose real certificate expires while billing works with it; its renewal failed. The deploy of billing,
// which updated a TLS library just before, is a decoy.
import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, createServer, get } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { createMetrics } from '../../../demo/checkout/services/metrics.ts';
import { answer } from '../../../demo/checkout/services/service.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const expiredCertificate: IncidentModule = { start, lacks };

const name = 'payments.internal';
const validMs = 2_500;

function lacks(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'openssl not installed';
}

/** Self-signed, and valid for some seconds from now. */
async function makeCertificate(folder: string): Promise<{ key: string; cert: string }> {
  const run = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
  const day = (at: number): string => new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem'];
  await run('req', '-new', ...key, '-out', 'request.pem', '-subj', `/CN=${name}`);
  const dates = ['-startdate', day(Date.now() - 90 * 86_400_000), '-enddate', day(Date.now() + validMs)];
  const files = ['-keyfile', 'key.pem', '-in', 'request.pem', '-out', 'payments.pem'];
  await run('ca', '-batch', '-notext', '-selfsign', '-config', 'ca.cnf', ...files, ...dates);
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  return { key: await read('key.pem'), cert: await read('payments.pem') };
}

async function start(system: System): Promise<StartedIncident> {
  await system.write('certificates/index.txt', '');
  const config = await system.write('certificates/ca.cnf', caConfig);
  const certificate = await makeCertificate(join(config, '..'));
  const payments = createServer(certificate, (_, response) => void response.end('charged\n'));
  const port = await system.listen(payments);
  const log = system.log('billing');
  const metrics = createMetrics();
  const count = metrics.counter('billing_charges_total', 'Charges by outcome.');
  let [good, failed] = [0, 0];
  // a session that is resumed is not verified again
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
      'GET /metrics': (_, response) => answer(response, 200, metrics.render()),
      'GET /debug/peer': async (_, response) => answer(response, 200, await probe()),
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

const caConfig = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = names
x509_extensions = extensions
[names]
commonName = supplied
[extensions]
subjectAltName = DNS:${name}
`;
