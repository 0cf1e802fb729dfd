// What callers in any language send to a running session and get from it, by wire name: the types of its signals, updates and
// queries. `holdfast schema` publishes them with these comments. Types only.
import type { LogRecord, Message } from './messages.ts';
import type { Budget, DrainMode } from './agent-spec.ts';
import type { ChildUpdate } from './child-update.ts';
import type { EventPage, QueueName } from './events.ts';
import type { Segment } from './frozen-context.ts';
import type { ThinkingLevel } from './model-call.ts';
import type { Plan } from './plan.ts';
import type { RunResult } from './run-result.ts';
import type { Checkpoint, PromptInput } from './session-input.ts';
import type {
  AllowanceRef,
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  PendingApproval,
  PendingQuestion,
  Receipt,
  Snapshot,
  SteerMessage,
} from './snapshot.ts';
import type { ExecutionMode } from './tool-spec.ts';

/** Arguments of each signal. A signal that cannot be taken is a warning event of the session; it never fails the sender. */
export type SessionSignals = {
  /** A message for the running agent, or for a subagent of it: read between two turns, or at once. */
  steer: [message: SteerMessage];
  /** A message for when the agent is done: the run continues with it. */
  followUp: [message: FollowUpMessage];
  /** Ends the current run only; the session stays as its start says. */
  abort: [];
  /** Repeats the model call after an operator fixed a refused key or a quota. */
  resume: [];
  /** Drops queued steering messages and follow-ups. */
  clearQueues: [];
  /** Drops queued steering messages. */
  clearSteering: [];
  /** Drops queued follow-ups. */
  clearFollowUp: [];
  /** From the next drain point on: how many messages of a queue are taken at once. */
  setQueueMode: [change: QueueModeChange];
  /** Answers a pending approval. For senders that need no answer: the update of this name returns the outcome. */
  resolveApproval: [answer: NamedAnswer];
  /** Takes a remembered approval back. */
  forgetAllowance: [allowance: AllowanceRef];
  /** Answers a question of the tool ask_human; the text becomes the result of its call. */
  answerQuestion: [answer: AnswerToQuestion];
  /** When idle, or as soon as it is: the view begins anew and the queues are emptied; settings stay. */
  reset: [];
  /** No new prompt; the current run finishes; the session completes. */
  shutdown: [];
  /** From a subagent to the session that started it: what waits for people in it. */
  childUpdate: [update: ChildUpdate];
  /** Another model, `<provider>:<model id>`. Effective with the next run. */
  setModel: [model: string];
  /** Replaces the whole assembled system prompt. Effective with the next run. */
  setSystemPrompt: [text: string];
  /** How much the model thinks. Effective with the next run. */
  setThinkingLevel: [level: ThinkingLevel];
  /** Names of registered tools. Effective with the next run. */
  setTools: [names: string[]];
  /** Whether the calls of one turn run at the same time. Effective with the next run. */
  setToolExecution: [mode: ExecutionMode];
};

/** What goes there, and what comes back. */
type Exchange<Args extends unknown[], Answer> = {
  /** The arguments, in this order. */
  args: Args;
  /** The answer. */
  answer: Answer;
};

/** Arguments and answer of each update. One that is refused fails with the reason, and leaves nothing in history. */
export type SessionUpdates = {
  /** Starts a run when idle; answers with its id at once, and does not wait for the run. */
  prompt: Exchange<[prompt: PromptInput], StartedRun>;
  /** Continues when idle and there is something to continue: the view, or a message in a queue. */
  continue: Exchange<[options: ContinueOptions], StartedRun>;
  /** Adds to the budget of the work in hand; `continue` continues a run that it ended. */
  extendBudget: Exchange<[by: Budget], ExtendedBudget>;
  /** Answers a pending approval: as one payload, which is all that the Temporal UI sends, or the id and the rest apart. */
  resolveApproval: Exchange<[answer: NamedAnswer] | [id: string, answer: ApprovalAnswer], ResolvedApproval>;
  /** Takes a remembered approval back. */
  forgetAllowance: Exchange<[allowance: AllowanceRef], ForgottenAllowance>;
  /** Answers a question of the tool ask_human: as one payload, or its parts apart. */
  answerQuestion: Exchange<
    [answer: AnswerToQuestion] | [id: string, text: string, actor?: string],
    AnsweredQuestion
  >;
  /** Folds the older part of the view into a summary when idle; the event condense_end has the outcome. */
  condense: Exchange<[], AcceptedCondense>;
  /** Removes a queued message by its id. */
  cancelQueued: Exchange<[id: string], CancelledMessage>;
};

/** Arguments and answer of each query. They need a worker, and leave nothing in history. */
export type SessionQueries = {
  /** State, wait, cost, queues, usage, pending approvals and questions. */
  snapshot: Exchange<[], Snapshot>;
  /** Events after a sequence number, oldest first; at most `limit` (default 250). */
  getEvents: Exchange<[afterSeq: number, limit?: number], EventPage>;
  /** Messages of the log after a sequence number, oldest first; a page is at most 1 MiB. */
  getMessages: Exchange<[afterSeq: number, limit?: number], MessagePage>;
  /** Result of the last run, or of the one named; null where there is none. */
  getResult: Exchange<[runId?: string], RunResult | null>;
  /** The plan of the agent; null where it has none. */
  plan: Exchange<[], Plan | null>;
  /** State of a steering message or follow-up by its id; null for an unknown one. */
  getReceipt: Exchange<[id: string], Receipt | null>;
  /** Whether a steering message or follow-up waits. */
  hasQueuedMessages: Exchange<[], boolean>;
  /** Calls that wait for a person, with their whole arguments; those of subagents too. */
  pendingApprovals: Exchange<[], PendingApproval[]>;
  /** Questions of the agent that wait for an answer; those of subagents too. */
  pendingQuestions: Exchange<[], PendingQuestion[]>;
  /** The whole session as one document, to continue from it in a start. */
  checkpoint: Exchange<[], Checkpoint>;
};

/** How a queue is taken from now on. */
export type QueueModeChange = {
  /** Which queue. */
  queue: QueueName;
  /** One message at each drain point, or all that wait. */
  mode: DrainMode;
};

/** A run that an update has started. */
export type StartedRun = {
  /** Id of the run, as its events and its result have it. */
  runId: string;
};

/** How a session continues. */
export type ContinueOptions = {
  /** Words of the user message that the run begins with. Absent: the agent continues from what is there. */
  continueText?: string;
};

/** What an answer to an approval has done. */
export type ResolvedApproval = {
  /** Whether the call runs. */
  approved: boolean;
  /** Id of the remembered approval, where the answer was to be remembered. */
  allowance?: string;
};

/** The budget of the work in hand, with what was added. */
export type ExtendedBudget = {
  /** What the work may spend altogether. */
  budget: Budget;
};

/** A remembered approval that answers no more calls. */
export type ForgottenAllowance = {
  /** Its id. */
  forgotten: string;
};

/** A question that is answered. */
export type AnsweredQuestion = {
  /** Id of the question. */
  answered: string;
};

/** A condense that begins. */
export type AcceptedCondense = {
  /** Always true. */
  accepted: true;
};

/** What became of a queued message. */
export type CancelledMessage = {
  /** False: it was not in a queue any more. */
  removed: boolean;
};

/** An answer to a question of the tool ask_human. */
export type AnswerToQuestion = {
  /** Id of the question: that of the call. */
  id: string;
  /** The answer, 1 to 8,000 characters. */
  text: string;
  /** Who answers, at most 200 characters. Default `somebody`. */
  actor?: string;
};

/** Answer of query getMessages. */
export type MessagePage = {
  /** Counts from 0: how often the view has begun anew. */
  epoch: number;
  /** Empty in this query. */
  head: Message[];
  /** Stored stretches of the log, before the first record of the page; they are read from the artifact store. */
  segments: Segment[];
  /** Messages with their places, oldest first. */
  records: LogRecord[];
  /** Present where the page was cut: ask again for what is after `nextSeq - 1`. */
  nextSeq?: number;
};
