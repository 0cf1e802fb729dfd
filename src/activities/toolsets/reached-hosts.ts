// The hosts that a command of a toolset reaches, as the file declares them. Pure.
import { literal } from '../shell/parse/argument.ts';
import { toPlainHost, toUrlHost } from '../shell/programs/hosts.ts';
import { fill, type Values } from './template.ts';

/** Each host once. A text that names a value that is absent reaches nothing. Throws where a host is not clear. */
export function reachedHosts(reaches: string | readonly string[] = [], values: Values): string[] {
  const targets = [reaches].flat().flatMap((text) => fill(text, values) ?? []);
  return [...new Set(targets.map(toHost))];
}

const nameAndPort = /^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const bareAddress = /^[\da-f.]*(?::[\da-f.]*){2,}$/i;

function toHost(target: string): string {
  if (bareAddress.test(target)) return toPlainHost(`[${target}]`);
  const host = nameAndPort.exec(target)?.[1] ?? toUrlHost(literal(target));
  if (typeof host === 'string') return toPlainHost(host);
  throw new Error(
    `the host of ${JSON.stringify(target)} is not clear: expected a host, host:port or http(s)://host/..., without a user and without "\\"`,
  );
}
