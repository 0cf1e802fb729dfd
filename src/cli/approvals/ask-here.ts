// Asks for one approval on the terminal: shows exactly the call that would run, and accepts an answer only from
// unambiguous words typed after it.
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import type { AllowanceScope } from '@holdfast/vocabulary/events';
import {
  toCallLine,
  describePreview,
  describeWait,
  describeWhole,
  describeQuestion,
} from '../render/describe-waiting.ts';
import { toLine } from '../render/plain-text.ts';
import type { ReadLine } from './read-line.ts';

export type HereAnswer = { approve: boolean; reason?: string; remember?: AllowanceScope };

/** Asks until the reply is clear. Undefined: later, Ctrl-D, or the question was withdrawn. */
export async function askHere(
  readLine: ReadLine,
  pending: PendingApproval,
  signal: AbortSignal,
): Promise<HereAnswer | undefined> {
  const { rememberable } = pending;
  let before = '';
  for (;;) {
    const lines = present([
      before,
      `  ${toCallLine(pending)}`,
      pending.masked && '  (a secret in it is masked: d shows it)',
      ...describePreview(pending.preview, 'd shows all'),
      `  ${describeWait(pending, Date.now())}`,
    ]);
    const text = await readLine(lines.join('\n'), questionOf(rememberable), signal);
    const reply = text === undefined ? { type: 'later' as const } : parseReply(text, rememberable);
    switch (reply.type) {
      case 'yes':
        return defined({ approve: true, remember: reply.remember });
      case 'no':
        return defined({ approve: false, reason: reply.reason });
      case 'later':
        return undefined;
      case 'details':
        before = `\n${describeWhole(pending, Date.now())}\n`;
        break;
      case 'unclear':
        before = `\n  ${JSON.stringify(toLine(text ?? '', 60))} decides nothing: ${wordsFor(rememberable)}.`;
    }
  }
}

export type ApprovalReply =
  | { type: 'yes'; remember?: AllowanceScope }
  | { type: 'no'; reason?: string }
  | { type: 'details' }
  | { type: 'later' }
  | { type: 'unclear' };

export function parseReply(text: string, rememberable: readonly AllowanceScope[]): ApprovalReply {
  const words = text.trim();
  if (/^y(es)?$/i.test(words)) return { type: 'yes' };
  if (/^s(ame)?$/i.test(words) && rememberable.includes('call')) return { type: 'yes', remember: 'call' };
  // a whole word: it allows much, and one key is typed too easily
  if (/^every$/i.test(words) && rememberable.includes('tool')) return { type: 'yes', remember: 'tool' };
  if (/^no?$/i.test(words)) return { type: 'no' };
  if (/^(d|details|\?)$/i.test(words)) return { type: 'details' };
  if (/^l(ater)?$/i.test(words)) return { type: 'later' };
  // "no problem" and "no, go ahead" are no denials
  const reason = /^no?(?:,?\s+because|:)\s+(\S.*)$/i.exec(words)?.[1];
  return reason === undefined ? { type: 'unclear' } : { type: 'no', reason };
}

function questionOf(rememberable: readonly AllowanceScope[]): string {
  const more = present([
    rememberable.includes('call') && 's: yes, and the same call for this session',
    rememberable.includes('tool') && 'every: yes, and every later call of this tool',
  ]).join(', ');
  return `  Run exactly this? [y/n] (n because <reason>, d: details, l: later${more && `; ${more}`}) `;
}

function wordsFor(rememberable: readonly AllowanceScope[]): string {
  const same = rememberable.includes('call') ? 'same, ' : '';
  const every = rememberable.includes('tool') ? 'every, ' : '';
  return `yes, ${same}${every}no, details or later`;
}

/** Asks a question of the agent. Undefined: later, Ctrl-D, or it was withdrawn. An empty line asks again. */
export async function askQuestionHere(
  readLine: ReadLine,
  pending: PendingQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { options = [] } = pending;
  const hint = options.length > 0 ? 'a number or your own words, l: later' : 'l: later';
  for (;;) {
    const lines = `\n${describeQuestion(pending, Date.now())}`;
    const text = (await readLine(lines, `  Your answer (${hint}): `, signal))?.trim();
    if (text === undefined || /^l(ater)?$/i.test(text)) return undefined;
    const answer = text === '' ? undefined : chosenOption(text, options);
    if (answer !== undefined) return answer;
  }
}

/** The option with that number, as `2` or `2)`, else the text itself; undefined for a number without an option. */
export function chosenOption(text: string, options: readonly string[] = []): string | undefined {
  if (options.length === 0 || !/^\d+[.)]?$/.test(text) || options.includes(text)) return text;
  return options[Number.parseInt(text, 10) - 1];
}
