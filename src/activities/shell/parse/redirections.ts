// What a redirection does beyond the command itself: it may make or change a file, or open a connection.
import { forEachChild, type Redirection, type Script, type SyntaxNode, type Word } from 'unbash';
import type { ShellAction } from '../shell-action.ts';
import { isHarmlessName, nameReason } from './variables.ts';
import { toPlainHost } from '../programs/hosts.ts';
import { pathsIn } from '../programs/places.ts';
import { literalValue } from './literal.ts';
import type { Rebuild } from './rebuild.ts';
import { toArgument } from './argument.ts';

/**
 * Linux opens the file behind /dev/stdout anew, for writing, even where the descriptor only reads it. So 1 and 2 never get
 * a file that is read, and the names of all other descriptors count as files.
 */
const harmless = /^\/dev\/(?:null|stdout|stderr)$/;

/** Whether a file is opened for reading with a number of its own, such as `3< file`. */
export function hasNumberedInput(script: Script): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Redirect' || node.type === 'HereString' || node.type === 'HereDoc')
      found ||= node.operator.startsWith('<') && node.operator !== '<&' && descriptorOf(node) !== 0;
    forEachChild(node, visit);
  };
  visit(script);
  return found;
}

export function judgeRedirection(
  node: Redirection,
  rebuild: Rebuild,
  numberedInput: boolean,
): ShellAction | undefined {
  if (node.descriptor?.type === 'FileDescriptorVariable' && !isHarmlessName(node.descriptor.name))
    return { effect: 'once', command: rebuild.redirection(node), reason: nameReason(node.descriptor.name) };
  const command = rebuild.redirection(node);
  const descriptor = descriptorOf(node);
  if (/^<(?!&)/.test(node.operator) && (descriptor === 1 || descriptor === 2))
    return { effect: 'once', command, reason: `a file that is read could be written: ${command}` };
  if (node.type !== 'Redirect' || node.target === undefined) return undefined;
  const path = literalValue(node.target);
  const { prefix } = toArgument(node.target, rebuild);
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path ?? prefix);
  if (socket !== null) {
    const hosts = path === undefined || !socket[1] ? {} : { hosts: [toPlainHost(socket[1])] };
    return { effect: 'once', command, reason: `bash opens a connection: ${command}`, ...hosts };
  }
  const duplicates = node.operator === '<&' || node.operator === '>&';
  if (duplicates && path !== undefined && /^(?:\d+-?|-)$/.test(path))
    return isSafeDuplicate(path, descriptor, numberedInput)
      ? undefined
      : { effect: 'once', command, reason: `it is not known where the output goes: ${command}` };
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

/** The number that it sets; undefined where bash chooses one. */
export function descriptorOf({ descriptor, operator }: Redirection): number | undefined {
  if (descriptor === undefined) return operator.startsWith('<') ? 0 : 1;
  return descriptor.type === 'FileDescriptor' ? descriptor.value : undefined;
}

// From 10 on bash keeps descriptors of its own, which could be files that are read. A closed 1 or 2 becomes the next file.
function isSafeDuplicate(from: string, to: number | undefined, numberedInput: boolean): boolean {
  const closes = from.endsWith('-');
  if (from === '-') return to !== undefined && to !== 1 && to !== 2;
  const number = Number.parseInt(from, 10);
  if (to === 0) return !closes || number > 2;
  if (number === 1 || number === 2) return !closes;
  return number > 2 && number < 10 && !numberedInput;
}

// The command of `< <(command)` is judged itself.
function isProcess({ parts }: Word): boolean {
  return parts?.length === 1 && parts[0]?.type === 'ProcessSubstitution';
}
