// The steps of every change of a file: its preview for the policy and the person who is asked, then the change itself, of
// exactly the previewed content. Runs in Node; used by the tools write and edit.
import { sha256Hex } from '@holdfast/stored/sha256';
import { findMarks } from '@holdfast/base/redaction-marks';
import type { CallFacts } from '@holdfast/vocabulary/tool-spec';
import {
  defineTool,
  type RegisteredTool,
  type ToolContext,
  type ToolDeclaration,
  type ToolReturn,
} from '../../tools/define-tool.ts';
import { type FileAccess, FileRoots, type FileTarget } from './file-roots.ts';
import { FileRefusal } from './file-access.ts';
import { conflict, removeLeftOvers, replaceFile } from './replace-file.ts';
import { readTextFile, type TextFile, encodeFileText, versionOf } from './text-file.ts';
import { formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import { cutText } from '@holdfast/base/cut-text';
import { InOrder } from '@holdfast/base/in-order';
import { toVisible } from '@holdfast/base/visible';
import { counted } from '@holdfast/base/words';
import type { z } from 'zod';

/** The whole new text, made from the current one. Throws a FileRefusal with the reason if it cannot be made. */
export type MakeText = (current: TextFile) => string;

type ChangeDeclaration<Schema extends z.ZodType<{ path: string }>> = Pick<
  ToolDeclaration<Schema>,
  'name' | 'label' | 'description' | 'input'
> & { makerOf: (call: z.output<Schema>) => MakeText };

/** The common form of write and edit: it changes files under the writable folders only, one after the other. */
export function defineChangeTool<Schema extends z.ZodType<{ path: string }>>(
  access: FileAccess,
  { makerOf, ...declaration }: ChangeDeclaration<Schema>,
): RegisteredTool {
  const roots = new FileRoots(access);
  return defineTool({
    ...declaration,
    effect: 'idempotent',
    executionMode: 'sequential',
    timeoutMs: 30_000,
    summaryArguments: ['path'],
    inspect: (call: z.output<Schema>) => inspectChange(roots, call.path, makerOf(call)),
    run: (call, context) => makeChange(roots, call.path, makerOf(call), context),
  });
}

/** The length that an approval keeps. */
const previewLength = 16_000;
/** Enough for the model to check its own change. */
const resultLength = 6_000;

/** A call that cannot succeed changes nothing, so it runs without a question, and its result has the reason. */
export async function inspectChange(roots: FileRoots, path: string, make: MakeText): Promise<CallFacts> {
  let file = path;
  try {
    return await roots.openTarget(path, async (target) => {
      file = target.path;
      const plan = planOf(await readTextFile(target), make);
      const { text, added, removed } = diffTexts(plan.before, plan.after, previewLength);
      const verb = plan.current.id === 'absent' ? 'makes' : 'changes';
      const reason = `It ${verb} the file ${target.shown}: ${countLines(added, removed)}.`;
      return {
        actions: [{ effect: 'idempotent', paths: [file], reason }],
        preview: text,
        basis: basisOf(plan),
      };
    });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return { actions: [{ effect: 'read', paths: [file] }] };
  }
}

export function makeChange(
  roots: FileRoots,
  path: string,
  make: MakeText,
  context: ToolContext,
): Promise<ToolReturn> {
  return roots.openTarget(path, (target) => turns.run(target.path, () => change(target, make, context)));
}

async function change(target: FileTarget, make: MakeText, context: ToolContext): Promise<ToolReturn> {
  const { basis, signal } = context;
  const { shown } = target;
  await removeLeftOvers(target, context);
  const current = await readTextFile(target);
  // written by an earlier attempt, whose worker was lost
  if (basis !== undefined && basis.endsWith(`:${current.id}`)) {
    return toReturn(`${shown} has this text already: nothing was written.`, current.id);
  }
  if (basis?.startsWith(`${current.id}:`) === false) throw conflict(target);
  const plan = planOf(current, make);
  // without a basis nobody has seen a preview: the change was impossible when it was asked for
  if (basis !== basisOf(plan)) throw conflict(target);
  signal.throwIfAborted();
  await replaceFile(target, current, plan.bytes, context);
  const { text, added, removed } = diffTexts(plan.before, plan.after, resultLength);
  const verb = current.id === 'absent' ? 'Made' : 'Changed';
  const details = { path: target.path, made: current.id === 'absent', added, removed, diff: text };
  return {
    ...toReturn(`${verb} ${shown}: ${countLines(added, removed)}.\n${text}`, plan.afterId),
    details: { ...details, version: versionOf(plan.afterId) },
  };
}

/** The diff is what the model wrote: no evidence for anything. */
function toReturn(text: string, id: string): ToolReturn {
  return { text: `${text}\n[version ${versionOf(id)}]`, ownWords: true };
}

type Plan = { current: TextFile; before: string; after: string; bytes: Buffer; afterId: string };

const privateKey = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/;
// oxlint-disable-next-line no-control-regex -- control characters are what this finds
const controlCharacter = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;

function planOf(current: TextFile, make: MakeText): Plan {
  const before = current.text ?? '';
  // before the edits are tried: their error messages could show a part of the key
  refuseKey(before);
  const after = make(current);
  if (current.text === after) throw new FileRefusal('Nothing was changed: the new text is the old one.');
  refuseKey(after);
  refuseHidden(before, after);
  const bytes = encodeFileText(after);
  return { current, before, after, bytes, afterId: sha256Hex(bytes) };
}

function refuseKey(text: string): void {
  if (!privateKey.test(text)) return;
  throw new FileRefusal('Refused: a private key is in that file, and a change of it cannot be shown.');
}

/** Refuses characters that an approver could not see, and marks that replace a secret in the model's view. */
function refuseHidden(before: string, after: string): void {
  const isNew = (found: string): boolean => !before.includes(found);
  const mark = findMarks(after).find(isNew);
  if (mark !== undefined) {
    throw new FileRefusal(
      `Refused: ${mark} takes the place of a secret in what you read; written, the secret would be lost. Use edit, and leave that line out.`,
    );
  }
  const control = after.match(controlCharacter)?.find(isNew);
  if (control === undefined) return;
  const code = control.charCodeAt(0).toString(16).padStart(4, '0');
  throw new FileRefusal(`Refused: the new text has the control character U+${code}, which cannot be shown.`);
}

/** Identifies both contents: the replaced one and the new one. */
function basisOf({ current, afterId }: Plan): string {
  return `${current.id}:${afterId}`;
}

function countLines(added: number, removed: number): string {
  return `${counted(added, 'line')} added, ${counted(removed, 'line')} removed`;
}

/** By file, in this process: two changes could both find the old content, and one be lost. */
const turns = new InOrder();

/** Beyond this, the two texts are shown one after the other, because a search for more takes too long. */
const maxEdits = 2_000;

/**
 * The difference of two texts, for people: in the question before a change, and in its result. `text` is a unified diff
 * without the names of files, cut at `length`.
 */
function diffTexts(from: string, to: string, length: number) {
  const hasPlainEnds = [from, to].some((text) => /(?<!\r)\n/.test(text));
  const before = hasPlainEnds ? from : from.replaceAll('\r\n', '\n');
  const after = hasPlainEnds ? to : to.replaceAll('\r\n', '\n');
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: maxEdits });
  const whole = [...linesOf(before, '-'), ...linesOf(after, '+')];
  const lines = patch?.hunks.flatMap((hunk) => hunk.lines) ?? whole;
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  const text = toVisible(patch ? formatPatch(patch, OMIT_HEADERS).replace(/\n$/, '') : whole.join('\n'));
  const notice = '\n[... the rest of the diff is cut here]';
  return {
    text: text.length <= length ? text : cutText(text, length - notice.length, '') + notice,
    added: count('+'),
    removed: count('-'),
  };
}

function linesOf(text: string, sign: string): string[] {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  return lines.map((line) => sign + line);
}
