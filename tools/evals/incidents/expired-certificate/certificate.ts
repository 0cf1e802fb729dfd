// A real certificate, signed by itself, with any end: made by openssl. Node.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { System } from '../../system.ts';

/** Valid for `validMs` from now. Written to a folder that the agent does not read, because it includes a key. */
export async function makeCertificate(
  system: System,
  name: string,
  validMs: number,
): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-certificate-'));
  system.atEnd(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'index.txt'), '');
  await writeFile(join(folder, 'ca.cnf'), configOf(name));
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

const configOf = (name: string): string => `[ca]
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
