// The vocabulary of deliveries: messages of a session to people, their points and destinations. Plain JSON.
import type { SessionAlert } from './session-alert.ts';
import type { RunResult } from './run-result.ts';

/** `start`: a run begins. `question`: a person is asked, for an approval or an answer. `end`: a run has ended. */
export type DeliveryPoint = 'start' | 'question' | 'end';
export const deliveryPoints: readonly DeliveryPoint[] = ['start', 'question', 'end'];
/** Points of a destination that names none. */
export const defaultPoints: readonly DeliveryPoint[] = ['question', 'end'];

/** A destination of the configuration, and when something goes there. */
export type Deliver = {
  /** Name of the destination in the workers' configuration. */
  to: string;
  /** Default: question and end. */
  on?: DeliveryPoint[];
};

/** Name of a destination: part of ids of activities, and of file names. */
export const destinationName = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;
export const expectedDestinationName =
  'a name of letters and digits, with ".", "_" or "-" inside it, at most 64';

/** Type of the failure of a delivery: some destination did not get the message. */
export const notDelivered = 'Delivery.NotDelivered';

/** Input of the workflow: references and small facts, with no secret and no text of a report. */
export type DeliveryInput = {
  /** Names the message: the id of the first workflow that took it. A repeat has the same one. */
  id: string;
  point: DeliveryPoint;
  /** Names of the destinations. */
  to: string[];
  sessionId: string;
  storedAs?: string;
  runId: string;
  /** Workflow time of the point, in ms since the epoch. */
  at: number;
  name?: string;
  agent?: string;
  /** First words of the session's first prompt. */
  task: string;
  /** Labels of the session. */
  labels?: Record<string, string>;
  /** The alert that the session is about. */
  alert?: SessionAlert;
  question?: DeliveredQuestion;
  end?: DeliveredEnd;
  /** The attempts of the session itself, by destination. */
  tried?: Record<string, Tried>;
};

/** An attempt that did not deliver. */
export type Tried = {
  error: string;
  /** Another attempt would end in the same way. */
  isFinal: boolean;
  /** Time in ms that the receiver has named. */
  afterMs?: number;
};

/** An approval or a question that waits for a person. */
export type DeliveredQuestion = {
  /** Id to answer with, in the session `sessionId`. */
  id: string;
  kind: 'approval' | 'question';
  /** Session that takes the answer: that of the subagent where the call is too long for its parent. */
  sessionId: string;
  /** The call as it would run, on one line, with its secrets masked; or the question of the agent. At most 2 KiB. */
  text: string;
  /** `text` is not all of it. */
  isCut?: true;
  /** The call on one line, as lists show it. */
  summary?: string;
  /** The words of the agent beside the call, cut. */
  said?: string;
  /** The first lines of what the tool shows of the call: a diff, the state of now, the way to undo it. At most 2 KiB. */
  preview?: string;
  /** Host of the call: its argument `on_host`, else the machine of the workers. */
  host?: string;
  /** The reason for asking. */
  reason?: string;
  /** Suggested answers; any other text is accepted, too. */
  options?: string[];
  /** Instance names of the subagent that asks. */
  child?: string;
  deadline: number;
};

/** The end of a run, without its words. `answer`: the beginning, where the agent has handed in no report. */
export type DeliveredEnd = Pick<
  RunResult,
  | 'status'
  | 'cause'
  | 'answerCut'
  | 'error'
  | 'report'
  | 'turns'
  | 'toolCalls'
  | 'costUsd'
  | 'costUnknown'
  | 'startedAt'
  | 'endedAt'
> & { answer?: string; needsReport?: true; unread?: string };

/** Memo of the workflow, for lists. */
export type DeliveryMemo = {
  /** Id of the message. */
  message: string;
  sessionId: string;
  /** Id of the run. */
  run: string;
  point: DeliveryPoint;
  to: string[];
  /** Set when the workflow has failed. */
  undelivered?: Undelivered[];
};

/** A destination that did not get the message, and the last error. */
export type Undelivered = { to: string; error: string };

/** Input of the activity, for one destination. `tried`: the attempt of the session, which counts as the first one. */
export type DeliverInput = Omit<DeliveryInput, 'tried'> & { destination: string; tried?: Tried };
