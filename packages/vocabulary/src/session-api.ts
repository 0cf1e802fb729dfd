// Signals, updates and queries of a running session, by wire name, for callers in any language. `holdfast schema`
// publishes these types with their comments. Types only.
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
  TakeBack,
  Answer,
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  PendingApproval,
  PendingQuestion,
  QueuedText,
  Receipt,
  Snapshot,
  SteerMessage,
} from './snapshot.ts';
import type { AgentMode, ExecutionMode } from './tool-spec.ts';

/** Arguments of each signal. A signal that cannot be taken is a warning event of the session; it never fails the sender. */
export type SessionSignals = {
  /** A message for the running agent, or for one of its subagents: read between two turns, or at once. */
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
  /** Drops all queued follow-ups. */
  clearFollowUp: [];
  /** Number of messages taken from a queue at once, from the next drain point on. */
  setQueueMode: [change: QueueModeChange];
  /** Answers a pending approval. For senders that need no answer: the update of this name returns the outcome. */
  resolveApproval: [answer: NamedAnswer];
  /** Takes a remembered approval back. */
  forgetAllowance: [allowance: TakeBack];
  /** Answers a question of the tool ask_human; the text becomes the result of its call. */
  answerQuestion: [answer: AnswerToQuestion];
  /** The view begins anew and the queues are emptied, as soon as the session is idle; settings stay. */
  reset: [];
  /** No new prompt is accepted; the current run finishes; the session completes. */
  shutdown: [];
  /** From a subagent to the session that started it: its pending approvals, questions and operator waits. */
  childUpdate: [update: ChildUpdate];
  /** Model as `<provider>:<model id>`. Effective with the next run. */
  setModel: [model: string];
  /** Replaces the whole assembled system prompt. Effective with the next run. */
  setSystemPrompt: [text: string];
  /** Thinking level of the model. Effective with the next run. */
  setThinkingLevel: [level: ThinkingLevel];
  /** Names of registered tools. Effective with the next run. */
  setTools: [names: string[]];
  /** Runs the calls of one turn in parallel or one by one. Effective with the next run. */
  setToolExecution: [mode: ExecutionMode];
  /** Limit of the agent: only reads, changes that a person approves, or changes unasked. Effective with the next run. */
  setMode: [mode: AgentMode];
};

/** Arguments and answer of one update or query. */
type Exchange<Args extends unknown[], Answer> = {
  /** The arguments, in this order. */
  args: Args;
  /** The answer to the caller. */
  answer: Answer;
};

/** Arguments and answer of each update. A refused update fails with the reason, and leaves nothing in history. */
export type SessionUpdates = {
  /** Starts a run when idle; answers with its id at once, and does not wait for the run. */
  prompt: Exchange<[prompt: PromptInput], StartedRun>;
  /** Continues when idle, from the view or from a message in a queue; refused if there is nothing to continue. */
  continue: Exchange<[options: ContinueOptions], StartedRun>;
  /** Adds to the budget of the current work; `continue` continues a run that it ended. */
  extendBudget: Exchange<[by: Budget], ExtendedBudget>;
  /** Answers whatever waits for a person; for forms, which show its fields filled in, such as the Temporal UI. */
  answer: Exchange<[answer: Answer], ResolvedApproval | AnsweredQuestion>;
  /** Answers a pending approval: with one payload or with id and answer. */
  resolveApproval: Exchange<[answer: NamedAnswer] | [id: string, answer: ApprovalAnswer], ResolvedApproval>;
  /** Takes a remembered approval back. */
  forgetAllowance: Exchange<[allowance: TakeBack], ForgottenAllowance>;
  /** Answers a question of the tool ask_human: with one payload, or with separate arguments. */
  answerQuestion: Exchange<
    [answer: AnswerToQuestion] | [id: string, text: string, actor?: string],
    AnsweredQuestion
  >;
  /** Folds the older part of the view into a summary when idle; the event condense_end has the outcome. */
  condense: Exchange<[], AcceptedCondense>;
  /** Takes a pinned finding of the agent back, and tells the agent. */
  takeBackFinding: Exchange<[finding: TakeBack], TakenBackFinding>;
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
  /** Result of the last run, or of the named one; null if there is none. */
  getResult: Exchange<[runId?: string], RunResult | null>;
  /** The plan of the agent; null without one. */
  plan: Exchange<[], Plan | null>;
  /** State of a steering message or follow-up by its id; null for an unknown id. With `sent`: `refused` if the id is that of another message. */
  getReceipt: Exchange<[id: string, sent?: QueuedText], Receipt | null>;
  /** The steering messages and follow-ups that wait, in the order in which they are read. */
  queued: Exchange<[], QueuedText[]>;
  /** True if a steering message or follow-up is queued. */
  hasQueuedMessages: Exchange<[], boolean>;
  /** Calls that wait for a person, with their whole arguments; includes those of subagents. */
  pendingApprovals: Exchange<[], PendingApproval[]>;
  /** Questions of the agent that wait for an answer; includes those of subagents. */
  pendingQuestions: Exchange<[], PendingQuestion[]>;
  /** The whole session as one document, from which a start can continue. */
  checkpoint: Exchange<[], Checkpoint>;
};

/** A change of the way a queue is drained. */
export type QueueModeChange = {
  /** Queue that the change applies to. */
  queue: QueueName;
  /** One message at each drain point, or all that wait. */
  mode: DrainMode;
};

/** A run that an update has started. */
export type StartedRun = {
  /** Id of the run, also in its events and result. */
  runId: string;
};

/** Options of the update continue. */
export type ContinueOptions = {
  /** User message that begins the run. Absent: the agent continues from the existing messages. */
  continueText?: string;
};

/** The effect of an answer to an approval. */
export type ResolvedApproval = {
  /** True if the call runs. */
  approved: boolean;
  /** Id of the remembered approval, if the answer asked to remember it. */
  allowance?: string;
};

/** The budget of the current work, with the addition. */
export type ExtendedBudget = {
  /** Limits for the whole work, additions included. */
  budget: Budget;
};

/** A remembered approval that answers no more calls. */
export type ForgottenAllowance = {
  /** Id of the approval. */
  forgotten: string;
};

/** A pinned finding that holds no more. */
export type TakenBackFinding = {
  /** Id of the finding. */
  takenBack: string;
};

/** A question that is answered. */
export type AnsweredQuestion = {
  /** Id of the question. */
  answered: string;
};

/** A condense that begins. */
export type AcceptedCondense = {
  /** Always true: a refusal fails the update. */
  accepted: true;
};

/** The effect of cancelling a queued message. */
export type CancelledMessage = {
  /** False: the message was no longer in a queue. */
  removed: boolean;
};

/** An answer to a question of the tool ask_human. */
export type AnswerToQuestion = {
  /** Id of the question, which is that of its call. */
  id: string;
  /** The answer, 1 to 8,000 characters. */
  text: string;
  /** Name of the person, at most 200 characters. Default `somebody`. */
  actor?: string;
};

/** Answer of query getMessages. */
export type MessagePage = {
  /** Version of the view, from 0: rises whenever the view begins anew. */
  epoch: number;
  /** Empty in this query. */
  head: Message[];
  /** Stored stretches of the log before the first record of the page, to be read from the artifact store. */
  segments: Segment[];
  /** Messages with their places, oldest first. */
  records: LogRecord[];
  /** Present if the page was cut: ask again for the messages after `nextSeq - 1`. */
  nextSeq?: number;
};
