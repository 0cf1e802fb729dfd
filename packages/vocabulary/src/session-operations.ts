// Every operation of a session, one row each, by wire name. Workflow, client, gateway, MCP server, Nexus and schemas read it;
// the rules are in core/session/requests.ts and queries.ts. Pure.
import type { Budget } from './agent-spec.ts';
import type { ChildUpdate } from './child-update.ts';
import type { EventPage } from './events.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { Plan } from './plan.ts';
import type { RunResult } from './run-result.ts';
import type * as Api from './session-api.ts';
import type { Checkpoint, PromptInput } from './session-input.ts';
import type * as Wire from './snapshot.ts';
import type { AgentMode, ExecutionMode } from './tool-spec.ts';

/** `both`: an update, and a signal of the same name for senders that need no answer. */
type Kind = 'signal' | 'update' | 'both' | 'query';

/** Arguments and answer of one operation. */
export type Exchange<Args extends unknown[], Answer> = {
  /** The arguments, in this order. */
  args: Args;
  /** The answer to the caller. */
  answer: Answer;
};

/** Fields of a row that most operations do without. */
type Doors = {
  /** The arguments as a person types them in the Temporal UI. */
  takes?: string;
  /** A signal with a handler of its own, which the Temporal UI lists. People answer by updates, which say the outcome. */
  forPeople?: true;
  /** The gateway has a route for it, for callers with this right. */
  right?: 'start' | 'answer';
};

type Operation<Of extends Kind, Args extends unknown[], Answer> = Doors & {
  kind: Of;
  words: string;
  types?: Exchange<Args, Answer>;
};

function ofKind<Of extends Kind>(kind: Of) {
  return <Args extends unknown[], Answer = void>(
    words: string,
    doors: Doors = {},
  ): Operation<Of, Args, Answer> => ({ kind, words, ...doors });
}

const signal = ofKind('signal');
const update = ofKind('update');
const both = ofKind('both');
const query = ofKind('query');

/** In the order in which the workflow sets its handlers. */
export const operations = {
  prompt: update<[prompt: PromptInput], Api.StartedRun>(
    'Gives an idle session its next task; answers with the id of the run, and does not wait for it.',
    { right: 'start' },
  ),
  continue: update<[options: Api.ContinueOptions], Api.StartedRun>(
    'Continues an idle session from its view or a queued message; refused if there is nothing to continue.',
    { takes: '{continueText?}', right: 'start' },
  ),
  steer: signal<[message: Wire.SteerMessage]>(
    'Says something to the agent or one of its subagents, read before the next turn, or at once.',
    { takes: '{id, message, mode?, to?}', forPeople: true, right: 'start' },
  ),
  followUp: signal<[message: Wire.FollowUpMessage]>(
    'Says something to the agent, read when it would stop: the run continues with it.',
    { takes: '{id, message}', forPeople: true, right: 'start' },
  ),
  abort: signal<[]>('Ends the current run and keeps its findings; the session stays as its start says.', {
    forPeople: true,
    right: 'start',
  }),
  resume: signal<[]>('Repeats the model call after an operator fixed a refused key or a quota.', {
    forPeople: true,
  }),
  clearQueues: signal<[]>('Drops queued steering messages and follow-ups.', { forPeople: true }),
  clearSteering: signal<[]>('Drops queued steering messages.'),
  clearFollowUp: signal<[]>('Drops queued follow-ups.'),
  setQueueMode: signal<[change: Api.QueueModeChange]>(
    'Sets the number of messages taken from a queue at once, from the next drain point on.',
  ),
  extendBudget: update<[by: Budget], Api.ExtendedBudget>(
    'Adds to the budget of the current work; `continue` continues a run that it ended.',
    { takes: '{turns?, wallMs?, tokens?, costUsd?, toolCalls?}' },
  ),
  answer: update<[answer: Wire.Answer], Api.ResolvedApproval | Api.AnsweredQuestion>(
    'Answers whatever waits for a person; for forms, such as the Temporal UI.',
    { takes: '{question, answer, by}, as Current Details show it' },
  ),
  resolveApproval: both<
    [answer: Wire.NamedAnswer] | [id: string, answer: Wire.ApprovalAnswer],
    Api.ResolvedApproval
  >('Answers a pending approval.', {
    takes: '{id, approve, actor, argsDigest, reason?, remember?}; a denial needs no argsDigest',
    right: 'answer',
  }),
  forgetAllowance: both<[allowance: Wire.TakeBack], Api.ForgottenAllowance>(
    'Takes a remembered approval back.',
    { takes: '{id, actor}', forPeople: true },
  ),
  answerQuestion: both<
    [answer: Api.AnswerToQuestion] | [id: string, text: string, actor?: string],
    Api.AnsweredQuestion
  >('Answers a question of the agent; the text becomes the result of its call.', {
    takes: '{id, text, actor?}',
    right: 'answer',
  }),
  condense: update<[], Api.AcceptedCondense>(
    'Folds the older part of the view into a summary when idle; the event condense_end has the outcome.',
  ),
  cancelQueued: update<[id: string], Api.CancelledMessage>('Removes a queued message by its id.'),
  takeBackFinding: update<[finding: Wire.TakeBack], Api.TakenBackFinding>(
    'Takes a pinned finding of the agent back, and tells the agent.',
    { takes: '{id, actor}', right: 'answer' },
  ),
  reset: signal<[]>('Empties view and queues as soon as the session is idle; its log and settings stay.', {
    forPeople: true,
  }),
  shutdown: signal<[]>('Closes the session after its current run; no new prompt is accepted.', {
    forPeople: true,
    right: 'start',
  }),
  childUpdate: signal<[update: ChildUpdate]>(
    'Tells the session that started a subagent its approvals, questions and operator waits.',
  ),
  setModel: signal<[model: string]>('Sets the model, `<provider>:<model id>`, from the next run on.'),
  setSystemPrompt: signal<[text: string]>('Replaces the whole system prompt, from the next run on.'),
  setThinkingLevel: signal<[level: ThinkingLevel]>(
    'Sets the thinking level of the model, from the next run on.',
  ),
  setTools: signal<[names: string[]]>('Sets the tools by their names, from the next run on.'),
  setToolExecution: signal<[mode: ExecutionMode]>(
    'Runs the calls of one turn in parallel or one by one, from the next run on.',
  ),
  setMode: signal<[mode: AgentMode]>(
    'Sets the mode: only reads, changes that a person approves, or changes unasked. From the next run on, a lower one at once.',
  ),
  snapshot: query<[], Wire.Snapshot>('State, wait, cost, queues, usage, pending approvals and questions.'),
  getEvents: query<[afterSeq: number, limit?: number], EventPage>(
    'Events after the number `afterSeq`, oldest first; at most `limit` (default 250).',
  ),
  getMessages: query<[afterSeq: number, limit?: number], Api.MessagePage>(
    'Messages of the log after the number `afterSeq`, oldest first, at most `limit`; a page is at most 1 MiB.',
  ),
  getResult: query<[runId?: string], RunResult | null>(
    'Result of the last run, or of `runId`; null if there is none.',
  ),
  plan: query<[], Plan | null>('The plan of the agent; null without one.'),
  getReceipt: query<[id: string, sent?: Wire.QueuedText], Wire.Receipt | null>(
    'State of a steering message or follow-up by its id; null for an unknown id. With `sent`: `refused` if the id is that of another message.',
  ),
  queued: query<[], Wire.QueuedText[]>(
    'The steering messages and follow-ups that wait, in the order in which they are read.',
  ),
  hasQueuedMessages: query<[], boolean>('True if a steering message or follow-up is queued.'),
  pendingApprovals: query<[], Wire.PendingApproval[]>(
    'Calls that wait for a person, with their whole arguments; includes those of subagents.',
  ),
  pendingQuestions: query<[], Wire.PendingQuestion[]>(
    'Questions of the agent that wait for an answer; includes those of subagents.',
  ),
  checkpoint: query<[], Checkpoint>('The whole session as one document, from which a start can continue.'),
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
type KindOf<Name extends OperationName> = Operations[Name]['kind'];
type Types<Name extends OperationName> = NonNullable<Operations[Name]['types']>;
export type ArgsOf<Name extends OperationName> = Types<Name>['args'];
export type AnswerOf<Name extends OperationName> = Types<Name>['answer'];

/**
 * Arguments of each signal. A signal that cannot be taken is a warning event of the session; it never fails the sender.
 * Where the update of this name has two forms, the signal has the one of a single payload.
 */
export type SessionSignals = {
  [Name in OperationName as KindOf<Name> extends 'signal' | 'both' ? Name : never]: Extract<
    ArgsOf<Name>,
    [] | [unknown]
  >;
};

/** Arguments and answer of each update. A refused update fails with the reason, and leaves nothing in history. */
export type SessionUpdates = {
  [Name in OperationName as KindOf<Name> extends 'update' | 'both' ? Name : never]: Types<Name>;
};

/** Arguments and answer of each query. They need a worker, and leave nothing in history. */
export type SessionQueries = {
  [Name in OperationName as KindOf<Name> extends 'query' ? Name : never]: Types<Name>;
};

function operationsOf<Name extends OperationName>(...kinds: Kind[]): Name[] {
  const rows: Record<string, { kind: Kind }> = operations;
  return Object.keys(rows).filter((name): name is Name => kinds.some((kind) => rows[name]?.kind === kind));
}

export const signalNames = operationsOf<keyof SessionSignals>('signal', 'both');
export const updateNames = operationsOf<keyof SessionUpdates>('update', 'both');
export const queryNames = operationsOf<keyof SessionQueries>('query');

/** The words of the Temporal UI about an operation. */
export function describeOperation(name: OperationName): string {
  const { words, takes } = operations[name];
  return takes === undefined ? words : `${words} Takes ${takes}.`;
}
