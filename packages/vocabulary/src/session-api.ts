// Payloads and answers of the operations of a session, which session-operations.ts names. `holdfast schema` publishes these
// types with their comments. Types only.
import type { LogRecord, Message } from './messages.ts';
import type { Budget, DrainMode } from './agent-spec.ts';
import type { QueueName } from './events.ts';
import type { Segment } from './frozen-context.ts';

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
