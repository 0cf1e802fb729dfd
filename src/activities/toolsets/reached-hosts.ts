// The hosts that a command of a toolset reaches, as the file declares them. Pure.
import { toHostOfUrl, toPlainHost } from '@holdfast/shell-judge';
import { fill, type Values } from '@holdfast/sources/template';

/** Each host once. A text with an absent value reaches nothing. Throws for an unclear host. */
export function reachedHosts(reaches: string | readonly string[] = [], values: Values): string[] {
  const targets = [reaches].flat().flatMap((text) => fill(text, values) ?? []);
  return [...new Set(targets.map(toHost))];
}

const nameAndPort = /^([\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
const bareAddress = /^[\da-f.]*(?::[\da-f.]*){2,}$/i;

function toHost(target: string): string {
  if (bareAddress.test(target)) return toPlainHost(`[${target}]`);
  const host = nameAndPort.exec(target)?.[1] ?? toHostOfUrl(target);
  if (host !== undefined) return toPlainHost(host);
  throw new Error(
    `the host of ${JSON.stringify(target)} is not clear: expected a host, host:port or http(s)://host/..., without a user and without "\\"`,
  );
}
