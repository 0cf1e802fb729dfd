// Answers the approvals and questions of a followed session. Each call that asks is answered as the options say, or by a
// person at the terminal; each question of the agent by that person. One at a time; an answer given elsewhere withdraws
// the question.
import { messageOf } from '@holdfast/base/message-of';
import { userInfo } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Approval, Heard, SessionHandle } from '../../client.ts';
import type { PendingApproval, PendingQuestion } from '@holdfast/vocabulary/snapshot';
import { describeDeadline } from '@holdfast/base/words';
import { cutShownJson } from '@holdfast/base/shown-json';
import { eventTextBytes } from '@holdfast/base/sizes';
import type { Cli, Output } from '../cli.ts';
import { withTyped } from '../../config/command-line.ts';
import {
  describeAnswerCommand,
  describeApproveCommands,
  toCallLine,
  describeQuestion,
} from '../render/describe-waiting.ts';
import { toPlain } from '../render/plain-text.ts';
import { type HereAnswer, askHere, askQuestionHere } from './ask-here.ts';
import { type ReadLine, readLineFrom } from './read-line.ts';

type AskingSession = Pick<
  SessionHandle,
  'sessionId' | 'pendingApprovals' | 'pendingQuestions' | 'approve' | 'deny' | 'answerQuestion'
>;

export type DeskOptions = {
  cli: Cli;
  output: Output;
  /** A subagent is asked directly, without waiting until the session above has heard of it. */
  session: AskingSession & { other(sessionId: string): AskingSession };
  /** Answers to calls; `ask` needs a terminal, and without one prints the commands to answer elsewhere, as `tell` does. */
  mode: 'ask' | 'tell' | 'approve' | 'deny';
  /** The live view's reader, if it has the terminal. */
  readLine?: ReadLine | undefined;
};

/** The answering person, for the audit line: the account on this machine. */
export function currentActor(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli';
  }
}

/** Rethrows the refusal of an answer to `id`, but for a word that is no id and begins the answer itself. */
export const unlessNoId = (id: string) => (error: unknown) => {
  if (id.startsWith('call_') || !messageOf(error).includes('nothing of that id waits')) throw error;
};

/** One approval or question: its session and id, and its id in the followed session. */
type Wait = { asking: AskingSession; id: string; shownId: string };
type Work = (options: DeskOptions, wait: Wait, signal: AbortSignal) => Promise<void>;

export type ApprovalDesk = ReturnType<typeof createApprovalDesk>;

export function createApprovalDesk(options: DeskOptions) {
  const open = new Map<string, AbortController>();
  let heardCount = 0;
  // the calls of one reply are heard one right after the other: their lines come before the question
  const untilQuiet = async (): Promise<void> => {
    for (let before = -1; before !== heardCount; await setImmediate()) {
      before = heardCount;
      await setImmediate();
    }
  };
  let last: Promise<void> = Promise.resolve();
  const request = (wait: Wait, work: Work): void => {
    const { shownId } = wait;
    if (open.has(shownId)) return;
    const controller = new AbortController();
    open.set(shownId, controller);
    last = last.then(untilQuiet).then(() => handle(work, options, wait, controller.signal));
  };
  const settle = (shownId: string): void => {
    open.get(shownId)?.abort();
    open.delete(shownId);
  };
  const close = (above = ''): void =>
    open.forEach((controller, shownId) => shownId.startsWith(above) && controller.abort());
  const waitOf = ({ sessionId, path }: Heard, id: string): Wait => ({
    asking: sessionId === undefined ? options.session : options.session.other(sessionId),
    id,
    shownId: path === undefined ? id : `${path}/${id}`,
  });
  return {
    /** Call it with every message of the session. */
    hear(heard: Heard) {
      heardCount += 1;
      switch (heard.type) {
        case 'gap':
          // requested by an event that is no longer kept
          heard.snapshot.approvals.forEach(({ id }) => request(waitOf(heard, id), decide));
          return heard.snapshot.questions.forEach(({ id }) => request(waitOf(heard, id), answer));
        case 'approval_requested':
          return request(waitOf(heard, heard.callId), decide);
        case 'question_asked':
          return request(waitOf(heard, heard.callId), answer);
        case 'approval_resolved':
        case 'question_answered':
          return settle(waitOf(heard, heard.callId).shownId);
        case 'agent_end':
          return close(heard.path === undefined ? '' : `${heard.path}/`);
        default:
          return undefined;
      }
    },
    /** Withdraws the open question. */
    close: () => close(),
  };
}

async function handle(work: Work, options: DeskOptions, wait: Wait, signal: AbortSignal): Promise<void> {
  // a session that is joined late also reports calls that were answered long ago
  if (signal.aborted) return;
  try {
    await work(options, wait, signal);
  } catch (error) {
    if (!signal.aborted) options.output.say(`  ! ${withTyped(messageOf(error))}`);
  }
}

async function decide(options: DeskOptions, wait: Wait, signal: AbortSignal): Promise<void> {
  const { asking, id: callId, shownId } = wait;
  const call = (await asking.pendingApprovals()).find(({ id }) => id === callId);
  if (call?.child && (call.isCut || call.masked)) {
    // only the subagent has it whole, and without a mask
    const { sessionId, name } = call.child;
    const whole = { asking: options.session.other(sessionId), id: callId.slice(name.length + 1), shownId };
    return decide(options, whole, signal);
  }
  if (!call) return;
  const given = answers[options.mode] ?? (await ask(options, { ...call, id: shownId }, signal));
  if (given === undefined || signal.aborted) return;
  const { approve, remember, ...rest } = given;
  const decision: Approval = { actor: currentActor(), argsDigest: call.argsDigest, ...rest };
  if (approve) await asking.approve(callId, { ...decision, remember });
  else await asking.deny(callId, decision);
}

async function answer(options: DeskOptions, wait: Wait, signal: AbortSignal): Promise<void> {
  const { cli, session, output, readLine = readLineFrom(cli) } = options;
  const { asking, id: callId, shownId } = wait;
  const found = (await asking.pendingQuestions()).find(({ id }) => id === callId);
  if (!found) return;
  const question = { ...found, id: shownId };
  const text = asksHere(options) ? await askQuestionHere(readLine, question, signal) : undefined;
  if (signal.aborted) return;
  if (text === undefined) output.say(describeQuestionElsewhere(question, session.sessionId, output.json));
  else await asking.answerQuestion(callId, text, { actor: currentActor() });
}

/** Given for every call, whatever its arguments. */
const answers: Partial<Record<DeskOptions['mode'], HereAnswer>> = {
  approve: { approve: true },
  deny: { approve: false, reason: 'Every call that asks is denied here (--approval deny).' },
};

/** Undefined: no person here, postponed, or the question was withdrawn. */
async function ask(
  options: DeskOptions,
  pending: PendingApproval,
  signal: AbortSignal,
): Promise<HereAnswer | undefined> {
  const { cli, session, output, readLine = readLineFrom(cli) } = options;
  const given = asksHere(options) ? await askHere(readLine, pending, signal) : undefined;
  if (given) return given;
  if (!signal.aborted) output.say(describeElsewhere(pending, session.sessionId, output.json));
  return undefined;
}

/** True if a person at this terminal is asked. */
export function asksHere({ cli, output, mode }: Pick<DeskOptions, 'cli' | 'output' | 'mode'>): boolean {
  return mode !== 'tell' && output.terminal && cli.stdin.isTTY;
}

/** `bare`: no earlier line shows the arguments. */
function describeElsewhere(pending: PendingApproval, sessionId: string, bare: boolean): string {
  const { tool, args } = pending;
  const call = bare ? toCallLine({ tool, args: cutShownJson(args, eventTextBytes) }) : toPlain(tool);
  return [
    `  ${call} waits for an answer; not run without one ${describeDeadline(pending.deadline, Date.now())}`,
    '  Answer with:',
    ...describeApproveCommands(sessionId, pending).map((command) => `    ${command}`),
  ].join('\n');
}

function describeQuestionElsewhere(pending: PendingQuestion, sessionId: string, bare: boolean): string {
  const now = Date.now();
  const waits = `  The question waits for an answer; closed without one ${describeDeadline(pending.deadline, now)}`;
  const command = describeAnswerCommand(sessionId, pending);
  return `${bare ? describeQuestion(pending, now) : waits}\n  Answer with:\n    ${command}`;
}
