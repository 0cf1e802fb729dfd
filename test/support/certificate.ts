// A certificate that a real openssl signs with its own key, valid for two days.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Files of PEM in the folder. `kind` is that of the key, in the words of openssl. */
export function selfSigned(folder: string, name: string, ...kind: string[]): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = ['req', '-x509', '-nodes', '-days', '2', '-subj', `/CN=${name}`, '-newkey', ...kind];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { cert, key };
}
