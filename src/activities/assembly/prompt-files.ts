// The files of a project that enter every prompt: read from one folder when a run is assembled, never written. Runs in
// Node.
import { defined } from '@holdfast/base/defined';
import { ifMissing } from '@holdfast/base/has-code';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@holdfast/base/message-of';
import { toPlainFile } from '../../core/agent/prompt/plain-files.ts';
import type { PromptParts } from '../../core/agent/prompt/prompt-parts.ts';

export type PromptFiles = Pick<PromptParts, 'files' | 'projectContext'>;

/** Rejects with the path of a file that exists and cannot be read: no run may begin without its guardrails. */
export type ReadPromptFiles = () => Promise<PromptFiles>;

const names = { identity: 'IDENTITY.md', soul: 'SOUL.md', user: 'USER.md', project: 'AGENTS.md' } as const;

/** Far more than a prompt takes; a larger file was named by mistake. */
const maxBytes = 4 * 1024 * 1024;

/** Characters of the project's file that reach the model. The other files are rules, which must not be cut. */
const maxProjectCharacters = 20_000;

/** `redact` removes known secrets, because a prompt is in history. */
export function createPromptFiles(folder: string, redact: (text: string) => string): ReadPromptFiles {
  const read = async (name: string, limit?: number): Promise<string | undefined> => {
    const path = join(folder, name);
    try {
      const text = await readWhole(path);
      return text === undefined ? undefined : toPlainFile(redact(text), name, limit) || undefined;
    } catch (error) {
      throw new Error(`cannot read ${path}, which belongs into the prompt: ${messageOf(error)}.`, {
        cause: error,
      });
    }
  };
  return async () => {
    const [ofIdentity, ofSoul, ofUser, ofProject] = await Promise.all([
      read(names.identity),
      read(names.soul),
      read(names.user),
      read(names.project, maxProjectCharacters),
    ]);
    return {
      files: defined({ identity: ofIdentity, soul: ofSoul, user: ofUser }),
      ...defined({ projectContext: ofProject }),
    };
  };
}

async function readWhole(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(ifMissing(undefined, 'ENOTDIR'));
  if (!found) return undefined;
  if (!found.isFile()) throw new Error('it is no file');
  if (found.size > maxBytes) throw new Error(`it has ${found.size} bytes, and ${maxBytes} is the most`);
  return readFile(path, 'utf8');
}
