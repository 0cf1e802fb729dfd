// The files that an agent has read and modified, for a view without the messages that tell it. Pure.
import { isRecord, parseJson } from '@holdfast/base/json';
import { isKeyOf } from '@holdfast/base/keys';
import { type Message, toolCallsOf } from '@holdfast/vocabulary/messages';
import type { TouchedFiles } from '@holdfast/vocabulary/agent-state';

const kinds = { read: 'read', write: 'modified', edit: 'modified' } as const;
/** Limit for each list; the newest paths are kept. */
const maxPaths = 100;

/** A modified file is not listed as read. */
export function touchedFiles(messages: readonly Message[]): TouchedFiles {
  const files: TouchedFiles = { read: [], modified: [] };
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsOf(message)) {
      const path = pathOf(call.arguments);
      if (path !== undefined && isKeyOf(kinds, call.name)) files[kinds[call.name]].push(path);
    }
  }
  return mergeTouched({ read: [], modified: [] }, files);
}

export function mergeTouched(before: TouchedFiles, now: TouchedFiles): TouchedFiles {
  const modified = [...new Set([...before.modified, ...now.modified])].slice(-maxPaths);
  const read = [...new Set([...before.read, ...now.read])].filter((path) => !modified.includes(path));
  return { read: read.slice(-maxPaths), modified };
}

function pathOf(text: string): string | undefined {
  const args = parseJson(text);
  const path = isRecord(args) ? args.path : undefined;
  return typeof path === 'string' && path.length <= 1_000 ? path : undefined;
}
