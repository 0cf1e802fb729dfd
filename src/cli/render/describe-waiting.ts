// Requests that wait for a person, as the terminal shows them: a call with the arguments that will run, a question with
// its options, a remembered approval; one wording of the deadline. Pure.
import { readJsonText } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { shellWord } from '@holdfast/base/shell-word';
import { typed } from '../../config/command-line.ts';
import { toLine, toPlain } from './plain-text.ts';
import type { WaitingItem } from '../../client.ts';
import { toShownLines } from '@holdfast/base/shown-json';
import { cutText } from '@holdfast/base/cut-text';
import { previewLines } from '@holdfast/base/preview-lines';
import { markLines, toVisible } from '@holdfast/base/visible';
import { counted, describeDeadline, describeMoment } from '@holdfast/base/words';
import type {
  Allowance,
  ChildRef,
  PendingApproval,
  PendingQuestion,
  QueuedText,
} from '@holdfast/vocabulary/snapshot';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';

/** Characters of a line among many. */
const lineCharacters = 200;

/** The call exactly as it would run. */
export function toCallLine({ tool, args }: Pick<PendingApproval, 'tool' | 'args'>): string {
  return toVisible(`${tool} ${args}`);
}

/** The reason for the question, and its deadline. */
export function describeWait({ reason, deadline, escalatedAt }: PendingApproval, now: number): string {
  const why = reason === undefined ? '' : `${toLine(reason, 300).replace(/(?<![.!?])$/, '.')} `;
  return `${describeEscalated(escalatedAt, now)}${why}No answer by ${describeMoment(deadline, now)}: it does not run.`;
}

const effects: Record<ToolEffect, string> = {
  read: 'read: it changes nothing, and runs again when its worker is lost',
  idempotent: 'idempotent: it runs again, with the same key, when its worker is lost',
  once: 'once: it never runs again by itself; when its worker is lost, its outcome is unknown',
};

/** All known facts, on several lines. */
export function describeWhole(pending: PendingApproval, now: number): string {
  const { id, turn, tool, effect, reason, changes, preview, deadline, child } = pending;
  const facts = present<[name: string, value: string]>([
    ['call', `${toLine(id, 200)}, turn ${turn}`],
    child && ['subagent', toLine(child.name, 200)],
    ['tool', toPlain(tool)],
    ['effect', effects[effect]],
    ['reason', toLine(reason ?? 'none given', 1_000)],
    changes !== undefined && ['changes', toPlain(changes)],
    ['deadline', `${describeDeadline(deadline, now)}; without an answer it does not run`],
    ['arguments', ''],
  ]);
  return present([
    ...facts.map(([name, value]) => `  ${name.padEnd(9)} ${value}`.trimEnd()),
    ...argumentLines(pending).map((line) => `    ${line}`),
    preview !== undefined && `  preview\n${markLines(toVisible(preview).trimEnd(), '    | ')}`,
  ]).join('\n');
}

function argumentLines({ args, unmaskedArgs = args, isCut, child }: PendingApproval): string[] {
  // no JSON any more
  if (isCut) return [toPlain(args), describeCut(child)];
  // the workflow wrote it as JSON
  return toShownLines(readJsonText(unmaskedArgs));
}

/** The place of a whole call that was too long to be passed on. */
function describeCut(child: ChildRef | undefined): string {
  const command = typed(`approvals ${child?.sessionId ?? '<session>'} --whole`);
  return `(cut here: "${command}" shows it whole, and there it can be approved)`;
}

/** The first lines of the tool's preview of a call, e.g. a diff, each cut if long. `rest`: the command that shows the others. */
export function describePreview(preview = '', rest = ''): string[] {
  const { lines, more } = previewLines(preview);
  const shown = lines.map((line) => `    | ${cutText(line, lineCharacters)}`);
  return more > 0 ? [...shown, `    | … ${counted(more, 'more line')}: ${rest}`] : shown;
}

/** The command that shows a whole call. */
export function describeWholeCommand(sessionId: string): string {
  return `"${typed(`approvals ${sessionId} --whole`)}" shows all`;
}

function describeEscalated(escalatedAt: number | undefined, now: number): string {
  return escalatedAt === undefined ? '' : `Escalated ${describeMoment(escalatedAt, now)}. `;
}

/** The question, its options, and its deadline. */
export function describeQuestion(pending: PendingQuestion, now: number): string {
  const { question, options, deadline, escalatedAt } = pending;
  return [
    markLines(toPlain(question).trim()),
    ...describeOptions(options),
    `  ${describeEscalated(escalatedAt, now)}No answer by ${describeMoment(deadline, now)} closes it.`,
  ].join('\n');
}

export function describeOptions(options: readonly string[] = []): string[] {
  return options.map((option, index) => `    ${index + 1}) ${toLine(option, lineCharacters)}`);
}

/** E.g. `allowance-1  change target=a (this call), by kim, Sun 21:06 EST`. */
export function describeAllowance({ id, tool, scope, summary, by, at }: Allowance, now: number): string {
  const what = scope === 'call' ? `${toLine(summary)} (this call)` : `every call of ${toLine(tool)}`;
  return `${id}  ${what}, by ${toLine(by)}, ${describeMoment(at, now)}`;
}

/** Includes the commands that answer it; an earlier line names the session. `whole`: with all facts of a call. */
export function describeItem(item: WaitingItem, now: number, whole = false): string {
  const { sessionId, requestedAt } = item;
  const asked = `  asked ${describeDeadline(requestedAt, now)}`;
  if (item.kind === 'question') {
    const of = item.child ? [`  subagent ${toLine(item.child.name, 200)} asks:`] : [];
    return [...of, describeQuestion(item, now), asked, `  ${describeAnswerCommand(sessionId, item)}`].join(
      '\n',
    );
  }
  const { child, isCut, masked } = item;
  const shown = present([
    `  ${toCallLine(item)}`,
    isCut && `  ${describeCut(child)}`,
    masked && `  (a secret in it is masked: "${typed(`approvals ${sessionId} --whole`)}" shows it)`,
    ...describePreview(item.preview, describeWholeCommand(sessionId)),
  ]);
  return present([
    child && `  of subagent ${toLine(child.name, 200)}:`,
    ...(whole ? [describeWhole(item, now)] : shown),
    `  ${describeWait(item, now)}`,
    asked,
    ...describeApproveCommands(sessionId, item).map((command) => `  ${command}`),
  ]).join('\n');
}

/** One to run it, one to refuse it. */
export function describeApproveCommands(sessionId: string, { id }: Pick<PendingApproval, 'id'>): string[] {
  // a provider made it: it may hold anything
  const call = shellWord(toPlain(id));
  return [typed(`approve ${sessionId} ${call}`), typed(`deny ${sessionId} ${call} --reason "why"`)];
}

export function describeAnswerCommand(sessionId: string, { id }: Pick<PendingQuestion, 'id'>): string {
  return typed(`answer ${sessionId} ${shellWord(toPlain(id))} "your answer"`);
}

/** E.g. `  steering   0a4c1f6e  look at the pool first`. Without a worker only the id of a message is known. */
export function describeQueued({
  id,
  queue,
  text = '(a worker, or the subagent that it was for, knows its words)',
}: Pick<QueuedText, 'id'> & Partial<QueuedText>): string {
  const kind = queue === undefined ? 'message  ' : queue === 'steering' ? 'steering ' : 'follow-up';
  return `  ${kind}  ${toLine(id, 80)}  ${toLine(text)}`;
}
