// The effects of a redirection beyond its command: it may create or change a file, or open a connection.
import { forEachChild, type Redirection, type Script, type SyntaxNode, type Word } from 'unbash';
import { isHarmlessName, nameReason } from './variables.ts';
import { toPlainHost } from '../programs/hosts.ts';
import { noPlaces, placesIn, type Placed, type Places } from '../programs/places.ts';
import type { Argument } from './argument.ts';

/**
 * Linux reopens the file behind /dev/stdout for writing, even if the descriptor only reads it. So 1 and 2 never get a
 * file that is read, and the names of all other descriptors count as files.
 */
const harmless = /^\/dev\/(?:null|stdout|stderr)$/;

/** True if a file is opened for reading with a number, such as `3< file`. */
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

/** `target` is its word, if it has one. */
export function judgeRedirection(
  node: Redirection,
  target: Argument | undefined,
  command: string,
  numberedInput: boolean,
): Placed | undefined {
  const once = (reason: string, places: Places = noPlaces): Placed => ({
    effect: 'once',
    command,
    reason,
    places,
  });
  if (node.descriptor?.type === 'FileDescriptorVariable' && !isHarmlessName(node.descriptor.name))
    return once(nameReason(node.descriptor.name));
  const descriptor = descriptorOf(node);
  if (/^<(?!&)/.test(node.operator) && (descriptor === 1 || descriptor === 2))
    return once(`a file that is read could be written: ${command}`);
  if (node.type !== 'Redirect' || node.target === undefined || target === undefined) return undefined;
  const { value: path, prefix } = target;
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(path ?? prefix);
  if (socket !== null) {
    const hosts = path === undefined || !socket[1] ? {} : { hosts: [toPlainHost(socket[1])] };
    return { ...once(`bash opens a connection: ${command}`), ...hosts };
  }
  const duplicates = node.operator === '<&' || node.operator === '>&';
  if (duplicates && path !== undefined && /^(?:\d+-?|-)$/.test(path))
    return isSafeDuplicate(path, descriptor, numberedInput)
      ? undefined
      : once(`it is not known where the output goes: ${command}`);
  const places = placesIn([target], { files: true, pattern: false });
  if (node.operator === '<') {
    if (isProcess(node.target) || path === '/dev/null') return undefined;
    // the word could become /dev/tcp/host/port
    const safe = prefix !== '' && !'/dev/tcp/'.startsWith(prefix) && !'/dev/udp/'.startsWith(prefix);
    return path !== undefined || safe
      ? { effect: 'read', command, places }
      : once(`the file is not known before it runs: ${command}`, places);
  }
  if (path !== undefined && harmless.test(path) && !duplicates) return undefined;
  if (path === undefined && node.operator !== '<&' && isProcess(node.target)) return undefined;
  return once(
    path === undefined ? `a file that is not known is written: ${command}` : `${path} is written`,
    places,
  );
}

/** The number that it sets; undefined if bash chooses one. */
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

// the command of `< <(command)` is judged itself
function isProcess({ parts }: Word): boolean {
  return parts?.length === 1 && parts[0]?.type === 'ProcessSubstitution';
}
