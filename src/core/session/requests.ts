// The rule of every signal and update: its form, its refusals, its effect. Pure. Reading has no effect, so that the validator
// of an update can ask first; accepting is synchronous and never throws.
import { defined } from '@holdfast/base/defined';
import type { QueueName } from '@holdfast/vocabulary/events';
import { noFinding } from '@holdfast/vocabulary/agent-state';
import { type UserMessage, userMessage } from '@holdfast/vocabulary/messages';
import type { SessionSignals, SessionUpdates } from '@holdfast/vocabulary/session-operations';
import { type SettingName, parseBudget, parseQueueMode, parseSetting } from './session-settings.ts';
import { continuationOf } from '../state/continuation.ts';
import { budgetOf } from '../state/limits.ts';
import { accept, answerForChild, resolveForChild, steerChild, takeChildUpdate } from './child-requests.ts';
import type { Request } from './child-requests.ts';
import { parseTakenBack, parseAnswer, parseApproval, parseQuestionAnswer, toDecision } from './answers.ts';
import { queueFull } from './inbox.ts';
import { parsePrompt, parseQueued } from './prompt.ts';
import type { Session } from './session.ts';
import { loweredMode } from '../tools/modes.ts';
import { type Parsed, type Refused, refuse, fieldsOf } from '@holdfast/base/json';

export type RequestName = keyof SessionSignals | keyof SessionUpdates;
type AnswerOf<Name> = Name extends keyof SessionUpdates ? SessionUpdates[Name]['answer'] : unknown;
type Rules = {
  [Name in RequestName]: (session: Session, ...sent: readonly unknown[]) => Request<AnswerOf<Name>>;
};

export const requests: Rules = {
  prompt(session, input) {
    const refusal = refuseWhileBusy(session);
    if (refusal) return refusal;
    const parsed = parsePrompt(input);
    if (!parsed.ok) return parsed;
    return accept(() => {
      session.inbox.putPrompt(parsed.value, true);
      return { runId: session.nextRunId };
    });
  },
  continue(session, input) {
    const refusal = refuseWhileBusy(session);
    if (refusal) return refusal;
    const text = readContinueText(input);
    if (!text.ok) return text;
    const { inbox, state, answered, nextRunId: runId } = session;
    if (inbox.reset) {
      return refuse('NothingToContinue', 'the view is about to begin anew: send a prompt instead');
    }
    const waiting = { steering: inbox.waiting('steering'), followUp: inbox.waiting('followUp') };
    const from = continuationOf(state, waiting, text.value);
    if (!from) {
      return refuse(
        'NothingToContinue',
        'the last run was answered and no message waits: send a prompt instead',
      );
    }
    return accept(() => {
      inbox.putContinue(from, runId, answered);
      return { runId };
    });
  },
  steer: (session, payload) => enqueue(session, 'steering', payload),
  followUp: (session, payload) => enqueue(session, 'followUp', payload),
  cancelQueued: ({ inbox }, id) => accept(() => ({ removed: typeof id === 'string' && inbox.cancel(id) })),
  clearQueues: ({ inbox }) => accept(() => inbox.clear()),
  clearSteering: ({ inbox }) => accept(() => inbox.clear(['steering'])),
  clearFollowUp: ({ inbox }) => accept(() => inbox.clear(['followUp'])),
  setQueueMode({ inbox }, payload) {
    const parsed = parseQueueMode(payload);
    return parsed.ok ? accept(() => inbox.setMode(parsed.value.queue, parsed.value.mode)) : parsed;
  },
  abort: (session) => accept(() => session.abort()),
  /** Repeats the calls that wait for an operator, in subagents too. */
  resume: (session) =>
    accept(() => {
      session.inbox.resume = true;
      for (const child of session.childWaits.stuck) void session.send(child, 'resume', undefined);
    }),
  childUpdate: takeChildUpdate,
  resolveApproval(session, first, rest) {
    const { approvals } = session;
    const parsed = parseApproval(first, rest);
    if (!parsed.ok) return parsed;
    const question = session.allQuestions.find(({ id }) => id === parsed.value.id);
    if (question) return refuse('IsQuestion', `${question.id} ${isQuestion}`);
    const refusal = approvals.refusal(parsed.value);
    if (refusal) {
      const { code, reason } = refusal;
      const forChild = resolveForChild(session, parsed.value);
      return forChild ?? refuse(code, withOthers(reason, session.childWaits.approvals));
    }
    return accept(() => {
      const allowance = approvals.answer(parsed.value, session.now());
      return defined({ approved: parsed.value.approve, allowance: allowance?.id });
    });
  },
  forgetAllowance(session, first, rest) {
    const { allowances } = session.approvals;
    const parsed = parseTakenBack(first, rest);
    if (!parsed.ok) return parsed;
    const { id, actor } = parsed.value;
    if (!allowances.held.some((held) => held.id === id)) {
      const known = allowances.held.map((held) => held.id).join(', ') || 'none';
      return refuse('NoSuchAllowance', `no approval is remembered as ${id}; remembered: ${known}`);
    }
    return accept(() => {
      const { tool = '' } = allowances.forget(id) ?? {};
      session.announce({ type: 'allowance_forgotten', allowance: id, tool, actor });
      return { forgotten: id };
    });
  },
  /** The agent reads it like steering. */
  takeBackFinding(session, first, rest) {
    const parsed = parseTakenBack(first, rest);
    if (!parsed.ok) return parsed;
    const { id, actor } = parsed.value;
    const finding = session.state.findings?.find((one) => one.id === id);
    if (!finding) return refuse('NoSuchFinding', noFinding(id, session.state));
    return accept(() => {
      const words = `${actor} took ${id} back, so it no longer holds: ${finding.text}`;
      // after a reset the ids of findings begin again, and the places in the log do not
      const queued = {
        id: `take-back-${id}-${session.state.log.nextSeq}`,
        message: { ...userMessage(words, 'steer'), sent: { at: session.now(), by: actor } },
      };
      session.inbox.put('steering', queued, { whileIdle: false, due: session.isPreparing });
      session.record({ type: 'finding_taken_back', id, by: actor });
      return { takenBack: id };
    });
  },
  answerQuestion(session, first, text, actor) {
    const { questions } = session;
    const parsed = parseQuestionAnswer(first, text, actor);
    if (!parsed.ok) return parsed;
    const call = session.allApprovals.find(({ id }) => id === parsed.value.id);
    if (call) return refuse('IsApproval', `${call.id} ${isApproval}`);
    const reason = questions.refusal(parsed.value.id);
    if (reason !== undefined) {
      const forChild = answerForChild(session, parsed.value);
      return forChild ?? refuse('NotPending', withOthers(reason, session.childWaits.questions));
    }
    return accept(() => {
      questions.answer(parsed.value, session.now());
      return { answered: parsed.value.id };
    });
  },
  answer(session, payload) {
    const parsed = parseAnswer(payload);
    if (!parsed.ok) return parsed;
    const { id, argsDigest, words: text, actor } = parsed.value;
    const isCall = argsDigest !== undefined || session.allApprovals.some((each) => each.id === id);
    if (!isCall) return requests.answerQuestion(session, { id, text, actor });
    const decision = toDecision(parsed.value);
    return decision.ok ? requests.resolveApproval(session, decision.value) : decision;
  },
  extendBudget(session, by) {
    const parsed = parseBudget(by);
    if (!parsed.ok) return parsed;
    return accept(() => {
      session.record({ type: 'budget_extended', by: parsed.value });
      return { budget: budgetOf(session.state) };
    });
  },
  condense(session) {
    const { context, condenseRequested } = session.state;
    const refusal = refuseWhileBusy(session);
    if (refusal) return refusal;
    if (condenseRequested) {
      return refuse('CondenseRunning', 'a condense is asked for already: wait for its end');
    }
    if (!context) return refuse('NothingToCondense', 'no run has begun in this session: send a prompt');
    return accept(() => {
      session.record({ type: 'condense_requested' });
      return { accepted: true };
    });
  },
  reset: ({ inbox }) => accept(() => void (inbox.reset = true)),
  shutdown: ({ inbox }) => accept(() => void (inbox.closing = true)),
  setModel: (session, value) => set(session, 'setModel', value),
  setSystemPrompt: (session, value) => set(session, 'setSystemPrompt', value),
  setThinkingLevel: (session, value) => set(session, 'setThinkingLevel', value),
  setTools: (session, value) => set(session, 'setTools', value),
  setToolExecution: (session, value) => set(session, 'setToolExecution', value),
  setMode: (session, value) => set(session, 'setMode', value),
};

const isQuestion = 'is a question of the agent: use "holdfast answer", POST .../answer or update answer.';
const isApproval =
  'is a call that waits for approval: use "holdfast approve", POST .../approve or update answer.';

export function isRequest(name: string): name is RequestName {
  return Object.hasOwn(requests, name);
}

/**
 * A signal has no answer: a refusal becomes a warning event, and a parent with an outdated picture gets the news again.
 */
export function takeSignal(session: Session, name: RequestName, sent: readonly unknown[]): void {
  const answer = carryOut<unknown>(session, requests[name](session, ...sent));
  if (answer.ok) return;
  const queue = name === 'steer' ? 'steering' : name === 'followUp' ? name : undefined;
  const parsed = queue && parseQueued(sent[0], 'steer');
  if (queue && parsed?.ok) session.inbox.refuse(parsed.value.id, queue, answer.code);
  session.announce(ignoredSignal(name, answer));
  session.parentNews.tell();
}

export function ignoredSignal(name: RequestName, { code, reason }: Refused) {
  const message = `A ${name} signal was ignored: ${reason}.`;
  return { type: 'warning', code: `Message.${code}`, message } as const;
}

/** Carries out the request and notifies the host, or returns the refusal. */
export function carryOut<Answer>(session: Session, request: Request<Answer>): Parsed<Answer> {
  if (!request.ok) return request;
  const value = request.value();
  session.changed();
  return { ok: true, value };
}

function refuseWhileBusy(session: Session): Refused | undefined {
  if (session.busy) return refuse('RunInProgress', 'a run is in progress: steer it, or wait for its end');
  return session.closing ? refuse('SessionClosing', 'the session is closing') : undefined;
}

function readContinueText(input: unknown): Parsed<UserMessage | undefined> {
  const { continueText: text } = fieldsOf(input);
  if (text === undefined) return { ok: true, value: undefined };
  const parsed = parsePrompt(text);
  return parsed.ok ? { ok: true, value: parsed.value.find((message) => message.role === 'user') } : parsed;
}

/** Adds the pending ids of subagents to those of the session. */
function withOthers(reason: string, others: { id: string }[]): string {
  if (others.length === 0) return reason;
  return `${reason} In subagents: ${others.map(({ id }) => id).join(', ')}.`;
}

function enqueue(session: Session, queue: QueueName, payload: unknown): Request {
  const parsed = parseQueued(payload, queue === 'steering' ? 'steer' : 'follow_up');
  if (!parsed.ok) return parsed;
  const { id, message, mode, to, actor } = parsed.value;
  if (to !== undefined) return steerChild(session, to, parsed.value);
  if (!session.inbox.hasRoom(message)) {
    return refuse('QueueFull', `${id} found no room: ${queueFull}`);
  }
  return accept(() => {
    const { run } = session.state;
    const sent = { at: session.now(), ...defined({ by: actor }) };
    // a run that ends takes nothing more: the message waits for the next run
    const interrupts = mode === 'interrupt' && run !== undefined && run.end === undefined;
    const { nextSeq: before } = session.state.log;
    const how = { whileIdle: !session.busy, interrupts, due: session.isPreparing, before };
    const isNew = session.inbox.put(queue, { id, message: { ...message, sent } }, how);
    // while idle it would wait for a condense before its run begins
    const isHeldUp = session.state.status === 'condensing' && session.inbox.hasIdleMessage;
    if (isNew && (interrupts || (mode === 'interrupt' && isHeldUp))) session.stopInFlight();
  });
}

function set(session: Session, name: SettingName, value: unknown): Request {
  const parsed = parseSetting(name, value);
  if (!parsed.ok) return parsed;
  return accept(() => {
    session.record({ type: 'settings_changed', settings: parsed.value });
    const { mode } = parsed.value;
    if (mode === undefined || loweredMode(session.state) === undefined) return;
    for (const { id } of session.runningChildren) void session.send(id, 'setMode', mode);
  });
}
