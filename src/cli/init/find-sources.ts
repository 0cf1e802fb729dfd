// Finds servers on this machine that a toolset of the starter set can read. Asks each once, and sends no credentials.
import { connect } from 'node:net';
import { webAddress } from '../../core/base/web-address.ts';
import type { Environment } from '../../config/environment.ts';
import { readStarterSet } from '../../worker/tool-sources/starter-toolsets.ts';

/** `address` is its setting `url`. */
type OpenSource = { name: string; address: string; needsToken: boolean };
/** With `port`: something listens on its usual port. */
export type FoundSource = OpenSource | { name: string; port: number };

/** It can be read as it is. */
export function isOpen(source: FoundSource): source is OpenSource {
  return 'address' in source && !source.needsToken;
}

const timeoutMs = 1_000;

/** Each at its usual place on this machine, or where its variable says. */
export async function findSources(environment: Environment): Promise<FoundSource[]> {
  const asked = (await readStarterSet()).map(async ({ name, found }): Promise<FoundSource | undefined> => {
    if (found === undefined) return undefined;
    if ('port' in found) return (await listens(found.port)) ? { name, port: found.port } : undefined;
    const { url, path, says, variable } = found;
    const address = ((variable && environment[variable]) || url).replace(/\/$/, '');
    const needsToken = await answers(address, path, says);
    return needsToken === undefined ? undefined : { name, address, needsToken };
  });
  return (await Promise.all(asked)).filter((found) => found !== undefined);
}

/** True if it wants a token; undefined if anything else answers, or nothing. An address with a password is not for a file. */
async function answers(address: string, path: string, says: string): Promise<boolean | undefined> {
  if (webAddress(address) === undefined) return undefined;
  try {
    const reply = await fetch(`${address}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await reply.text();
    if (reply.ok) return text.includes(says) ? false : undefined;
    return reply.status === 401 || reply.status === 403 ? true : undefined;
  } catch {
    return undefined;
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: timeoutMs });
    const end = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
