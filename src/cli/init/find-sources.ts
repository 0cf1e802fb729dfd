// Finds servers on this machine that a toolset of the starter set can read: each where its variable says, at its usual
// place, or on another port that something listens on. Sends no credentials, and says in a request who asks.
import { connect } from 'node:net';
import { webAddress } from '@holdfast/base/web-address';
import { mapValues } from '@holdfast/base/map-values';
import type { Environment } from '../../config/environment.ts';
import { type FoundBy, readStarterSet } from '../../worker/tool-sources/starter-toolsets.ts';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export type FoundSource = {
  name: string;
  /** Its address or port, for people. */
  place: string;
  settings: Record<string, string>;
  /** Address of a server that is asked over HTTP. */
  address?: string;
  /** Without a token or a password it cannot be read. */
  needsToken: boolean;
};

type Sought<Kind extends FoundBy = FoundBy> = { name: string; found: Kind };
type Web = Extract<FoundBy, { url: string }>;
type Wire = Extract<FoundBy, { port: number }>;

const timeoutMs = 1_000;

/** By name; several of one name as they are found. */
export async function findSources(environment: Environment): Promise<FoundSource[]> {
  const set = (await readStarterSet()).flatMap(({ name, found }) => (found ? [{ name, found }] : []));
  const named: Promise<FoundSource | undefined>[] = [];
  const sought = set.filter(({ name, found }) => {
    const address = 'variable' in found && found.variable ? environment[found.variable] : undefined;
    if (address && 'url' in found) named.push(askWeb({ name, found }, address.replace(/\/$/, '')));
    return !address;
  });
  const ports = [...new Set([...sought.map(usualPort), ...(await listeningPorts())])];
  const found = await Promise.all([...named, ...ports.map((port) => askPort(port, sought))]);
  return found
    .filter((source) => source !== undefined)
    .sort((left, right) => left.name.localeCompare(right.name));
}

function usualPort({ found }: Sought): number {
  return 'port' in found ? found.port : Number(new URL(found.url).port);
}

/** The programs that speak HTTP are asked last: a database would log such a request as an attack. */
async function askPort(port: number, sought: readonly Sought[]): Promise<FoundSource | undefined> {
  const wires = sought.filter((each): each is Sought<Wire> => 'port' in each.found);
  const heard = await Promise.all(wires.map((each) => askWire(each, port)));
  const spoken = heard.find((found) => found !== undefined);
  const address = `http://127.0.0.1:${port}`;
  if (spoken !== undefined || (await get(address)) === undefined) return spoken;
  const webs = sought.filter((each): each is Sought<Web> => 'url' in each.found);
  for (const each of webs.sort((left) => (usualPort(left) === port ? -1 : 1))) {
    const found = await askWeb(each, address);
    if (!found) continue;
    if (usualPort(each) === port) return found;
    // some servers want a token for every page, or have the same answer
    const other = await get(`${address}/holdfast-${each.name}`);
    if (!found.needsToken && !(other?.ok && other.text.includes(each.found.says))) return found;
  }
  return undefined;
}

/** An address with a password is not for a file. */
async function askWeb({ name, found }: Sought<Web>, address: string): Promise<FoundSource | undefined> {
  if (webAddress(address) === undefined) return undefined;
  const reply = await get(`${address}${found.path}`);
  const needsToken = reply?.status === 401 || reply?.status === 403;
  if (!needsToken && !(reply?.ok && reply.text.includes(found.says))) return undefined;
  const token = needsToken ? { authorization: `Bearer secret://${name}` } : {};
  return { name, place: address, address, settings: { url: address, ...token }, needsToken };
}

/** Undefined if nothing answers in HTTP. */
async function get(address: string): Promise<{ ok: boolean; status: number; text: string } | undefined> {
  try {
    const headers = { 'user-agent': 'holdfast-init' };
    const reply = await fetch(address, { headers, signal: AbortSignal.timeout(timeoutMs) });
    return { ok: reply.ok, status: reply.status, text: await reply.text() };
  } catch {
    return undefined;
  }
}

async function askWire({ name, found }: Sought<Wire>, port: number): Promise<FoundSource | undefined> {
  const { says, refuses = '(?!)', send = '' } = found;
  const [open, closed] = [new RegExp(says, 's'), new RegExp(refuses, 's')];
  const said = await exchange(port, Buffer.from(send, 'hex'), (text) => open.test(text) || closed.test(text));
  if (said === undefined) return undefined;
  const needsToken = closed.test(said);
  const own =
    port === found.port ? {} : mapValues(found.settings, (value) => value.replace('{port}', String(port)));
  const settings = needsToken ? { ...own, password: `secret://${name}` } : own;
  return { name, place: `port ${port}`, settings, needsToken };
}

/** The first bytes of the answer that `isAnswer`; undefined if there are none in time. */
async function exchange(
  port: number,
  send: Buffer,
  isAnswer: (text: string) => boolean,
): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', signal: AbortSignal.timeout(timeoutMs) });
  socket.setEncoding('latin1').write(send);
  let heard = '';
  try {
    for await (const text of socket) {
      heard += text;
      if (isAnswer(heard)) return heard;
      if (heard.length > 4_096) return undefined;
    }
  } catch {
    // nobody listens, or there was no time for more
  }
  return undefined;
}

/** More listening TCP ports are no single person's machine. */
const mostPorts = 64;

/** TCP ports that something listens on, the lowest first; empty if the system does not tell. */
async function listeningPorts(): Promise<number[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const ports = tables.some((text) => text !== '') ? tables.flatMap(portsOfTable) : await portsByProgram();
  return [...new Set(ports)].sort((left, right) => left - right).slice(0, mostPorts);
}

/** Lines such as `0: 0100007F:18EB 00000000:0000 0A ...`; 0A is the state LISTEN. */
function portsOfTable(text: string): number[] {
  return [...text.matchAll(/^\s*\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]+:0000 0A /gm)].map(([, port = '']) =>
    Number.parseInt(port, 16),
  );
}

/** For systems that have no /proc, such as macOS. */
async function portsByProgram(): Promise<number[]> {
  const asked = promisify(execFile)('lsof', ['-nP', '-iTCP', '-sTCP:LISTEN', '-Fn'], { timeout: 2_000 });
  const { stdout } = await asked.catch(() => ({ stdout: '' }));
  return [...stdout.matchAll(/^n.*:(\d+)$/gm)].map(([, port]) => Number(port));
}
