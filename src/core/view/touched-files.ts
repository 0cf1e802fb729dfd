// Which files the calls of a stretch have read and modified, by the tools that do it. Pure.
import type { TouchedFiles } from '../model/agent-state.ts';
import type { Message } from '../model/messages.ts';
import { toolCallsOf } from '../model/messages.ts';

const kinds = { read: 'read', write: 'modified', edit: 'modified' } as const;
/** Paths of each list: the newest count. */
const maxPaths = 100;

/** What was modified is not listed as read too. */
export function touchedFiles(messages: readonly Message[]): TouchedFiles {
  const files: TouchedFiles = { read: [], modified: [] };
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsOf(message)) {
      const path = pathOf(call.arguments);
      if (path !== undefined && isKnown(call.name)) files[kinds[call.name]].push(path);
    }
  }
  return mergeTouched({ read: [], modified: [] }, files);
}

export function mergeTouched(before: TouchedFiles, now: TouchedFiles): TouchedFiles {
  const modified = [...new Set([...before.modified, ...now.modified])].slice(-maxPaths);
  const read = [...new Set([...before.read, ...now.read])].filter((path) => !modified.includes(path));
  return { read: read.slice(-maxPaths), modified };
}

function isKnown(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name);
}

function pathOf(text: string): string | undefined {
  try {
    const args: unknown = JSON.parse(text);
    const path = typeof args === 'object' && args !== null && 'path' in args ? args.path : undefined;
    return typeof path === 'string' && path.length <= 1_000 ? path : undefined;
  } catch {
    return undefined;
  }
}
