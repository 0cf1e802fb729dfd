// What a redirection does beyond the command itself: it may make or change a file, or open a connection.
import type { Redirection, Word } from 'unbash';
import type { ShellAction } from '../shell-action.ts';
import { isHarmlessName, nameReason } from './variables.ts';
import { toPlainHost } from '../programs/hosts.ts';
import { pathsIn } from '../programs/places.ts';
import { literalValue } from './literal.ts';
import type { Rebuild } from './rebuild.ts';
import { toArgument } from './argument.ts';

const harmless = /^\/dev\/(?:null|stdout|stderr|stdin|fd\/\d+)$/;

export function judgeRedirection(node: Redirection, rebuild: Rebuild): ShellAction | undefined {
  if (node.descriptor?.type === 'FileDescriptorVariable' && !isHarmlessName(node.descriptor.name))
    return { effect: 'once', command: rebuild.redirection(node), reason: nameReason(node.descriptor.name) };
  if (node.type !== 'Redirect' || node.target === undefined) return undefined;
  const command = rebuild.redirection(node);
  const path = literalValue(node.target);
  const { prefix } = toArgument(node.target, rebuild);
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path ?? prefix);
  if (socket !== null) {
    const hosts = path === undefined || !socket[1] ? {} : { hosts: [toPlainHost(socket[1])] };
    return { effect: 'once', command, reason: `bash opens a connection: ${command}`, ...hosts };
  }
  const duplicates = node.operator === '<&' || node.operator === '>&';
  if (duplicates && path !== undefined && /^(?:\d+-?|-)$/.test(path)) return undefined;
  if (node.operator === '<') {
    if (path !== undefined) return undefined;
    // what the word becomes could be /dev/tcp/host/port
    const safe = prefix !== '' && !'/dev/tcp/'.startsWith(prefix) && !'/dev/udp/'.startsWith(prefix);
    return safe || isProcess(node.target)
      ? undefined
      : { effect: 'once', command, reason: `the file is not known before it runs: ${command}` };
  }
  if (path !== undefined && harmless.test(path) && !duplicates) return undefined;
  if (path === undefined && node.operator !== '<&' && isProcess(node.target)) return undefined;
  const reason =
    path === undefined ? `a file that is not known is written: ${command}` : `${path} is written`;
  const paths = path === undefined ? pathsIn([toArgument(node.target, rebuild)]) : [path];
  return { effect: 'once', command, reason, ...(paths.length > 0 ? { paths } : {}) };
}

// The command of `< <(command)` is judged itself.
function isProcess({ parts }: Word): boolean {
  return parts?.length === 1 && parts[0]?.type === 'ProcessSubstitution';
}
