// The tool note_user: one lasting fact about the person as a line of USER.md, where that file may be changed. As every
// change of USER.md a person sees it first, unless a rule names the path. Runs in Node.
import { z } from 'zod';
import { utf8Bytes } from '@holdfast/base/sizes';
import { sayingOf, sayingsOf } from '../../notes/captured-block.ts';
import { defineTool, type RegisteredTool } from '../../tools/define-tool.ts';
import { FileRefusal } from './file-access.ts';
import { inspectChange, makeChange, type MakeText } from './file-change.ts';
import { type FileAccess, FileRoots } from './file-roots.ts';

/** The file enters prompts whole. */
const maxBytes = 8 * 1024;

const oneLine = z.string().regex(/^\S[^\n\r]*$/, 'expected one line');

/** `path` is absolute. */
export function createNoteUserTool(access: FileAccess, path: string): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    name: 'note_user',
    label: 'Note about the person',
    description:
      'Adds a lasting fact about the person you work for (role, time zone, a preference that they stated) to USER.md.',
    input: z.strictObject({ fact: oneLine.max(500).describe('E.g. "Wants times in CET."') }),
    effect: 'idempotent',
    executionMode: 'sequential',
    summaryArguments: ['fact'],
    inspect: ({ fact }) => inspectChange(roots, path, withFact(fact)),
    run({ fact }, context) {
      if (context.redact(fact) !== fact) throw new FileRefusal('Not noted: a secret is in it.');
      return makeChange(roots, path, withFact(fact), context);
    },
  });
}

function withFact(fact: string): MakeText {
  return ({ text = '' }) => {
    if (sayingsOf(text).has(sayingOf(fact))) throw new FileRefusal('Not noted: USER.md says this already.');
    const after = `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}- ${fact.trimEnd()}\n`;
    const size = utf8Bytes(after);
    if (size <= maxBytes) return after;
    throw new FileRefusal(`Not noted: USER.md would have ${size} bytes, at most ${maxBytes} are kept.`);
  };
}
