// Facts: every event that changes the state of a session, as one tagged union. Pure.
import type {
  EvaluatePolicyResult,
  LoadedTools,
  SummarizeResult,
} from '@holdfast/vocabulary/activity-contracts';
import type { FrozenContext, Segment } from '@holdfast/vocabulary/frozen-context';
import type { HostVerdict } from '@holdfast/vocabulary/hosts';
import type { Budget, SessionSettings } from '@holdfast/vocabulary/agent-spec';
import type {
  AgentState,
  Denial,
  ModelReplyFact,
  RunEnd,
  ToolAnswer,
  PinnedFinding,
} from '@holdfast/vocabulary/agent-state';
import type { ModelPurpose } from '@holdfast/vocabulary/model-call';
import type { LoopKind } from './loop-guard.ts';
import type { CondenseReason } from '@holdfast/view/condense-reason';
import type { CondensePlan } from '@holdfast/view/condense/strategy';
import type { QueueName } from '@holdfast/vocabulary/events';
import type { Json, JsonObject } from '@holdfast/base/json';
import type { Hypothesis } from '@holdfast/vocabulary/hypotheses';
import type { Plan } from '@holdfast/vocabulary/plan';
import type { PaidFailure } from '@holdfast/vocabulary/call-results';
import type { Child, TaskResult } from '@holdfast/vocabulary/children';
import type {
  Completion,
  NamedCall,
  PurposeUsage,
  ReportRef,
  RunOutput,
  RunStatus,
} from '@holdfast/vocabulary/run-result';
import type {
  AssistantMessage,
  CallDecision,
  Message,
  Preface,
  PromptMessage,
  Usage,
  UserMessage,
} from '@holdfast/vocabulary/messages';

export type NewChild = Omit<
  Child,
  'state' | 'startedAt' | 'endedAt' | 'status' | 'usage' | 'costUsd' | 'result'
>;
/** The end of a child; its usage is added to the parent's. */
export type ChildEnd = {
  childId: string;
  status: RunStatus;
  usage: PurposeUsage;
  costUsd: number;
  costUnknown?: true;
  toolCalls: number;
  result: TaskResult;
  /** Calls of the child that the result names: a report may quote them. */
  calls?: NamedCall[];
  /** Ids of messages that the child never took. */
  undelivered?: string[];
};

/** A lack of an answer: the report that the agent owes, or the form of its outputSchema. */
export type AnswerLack = 'report' | 'output';

/** The default of `at` is the time of the answer. */
export type Decided = Omit<CallDecision, 'at'> & { at?: number };

export type Fact =
  | { type: 'seeded'; messages: Message[] }
  /** The session continues from another session's state. */
  | { type: 'imported'; state: AgentState }
  /** A prompt was accepted: the session is busy from here to run_ended. */
  | { type: 'run_accepted'; messages: PromptMessage[]; polled: boolean; continued: boolean }
  | { type: 'context_assembled'; context: FrozenContext }
  /** The context was assembled again before a request, by the agent's option. */
  | { type: 'context_refreshed'; context: FrozenContext }
  /** Goes in front of the run's first message from a person. */
  | { type: 'prefaced'; preface: Preface[] }
  /** Messages were taken out of a queue; they enter the log with the next turn. */
  | { type: 'messages_drained'; queue: QueueName; messages: PromptMessage[] }
  /** The model is told the time, in a message of the request that is next. */
  | { type: 'time_told'; text: string }
  | { type: 'turn_started' }
  /** The agent warns the model of repeating itself; the message enters the log with the next turn. */
  | { type: 'loop_warned'; of: LoopKind; count: number; message: UserMessage }
  /** The agent warns the model of going in circles over condenses; the message enters the log with the next turn. */
  | { type: 'circle_warned'; message: UserMessage }
  | { type: 'model_called' }
  | { type: 'model_replied'; reply: ModelReplyFact }
  /** An assistant record that stays out of the view: the model failed, or was stopped. */
  | { type: 'model_stopped'; message: AssistantMessage; costUsd?: number; wasted?: Usage }
  /** The cost of a call without a message: one that failed for good, or a question beside the loop. */
  | { type: 'model_paid'; costUsd: number; wasted: Usage; purpose?: ModelPurpose }
  /** The wait for people is over; `ms` since the first of them was asked. */
  | { type: 'people_answered'; ms: number }
  | ({ type: 'policy_evaluated' } & EvaluatePolicyResult)
  /** Hosts have judged their calls; calls with `unreachable` hosts do not run. */
  | { type: 'calls_inspected'; verdicts: HostVerdict[]; unreachable: { callId: string; reason: string }[] }
  | { type: 'tools_begun' }
  /** `index` is the call's place in the batch: a model may use one id twice. */
  | { type: 'tool_started'; index: number }
  /** A call with the effect `once` is about to be scheduled; `key` is its tool with its arguments. */
  | { type: 'once_begun'; key: string }
  | { type: 'tool_answered'; index: number; answer: ToolAnswer; denied?: Denial; decided?: Decided }
  /** The run has read words of a person outside of its queues. */
  | { type: 'person_heard' }
  | { type: 'finding_pinned'; finding: PinnedFinding }
  /** `by` is the finding in its place, or a person. */
  | { type: 'finding_taken_back'; id: string; by: string }
  /** Children of these agents of the configuration got instance names. */
  | { type: 'children_named'; agents: string[] }
  /** `parent` is the instance name of this session. */
  | { type: 'child_started'; child: NewChild; parent: string }
  | ({ type: 'child_ended'; parent: string } & ChildEnd)
  /** The agent reports that its work is done; only the first such call of a run counts. */
  | { type: 'task_completed'; completion: Completion }
  /** The plan was set, or one of its steps was marked; `stepId` names the step. */
  | { type: 'plan_changed'; plan: Plan; stepId?: string }
  /** Each hypothesis that was written, or has got a prediction or a test, whole. */
  | { type: 'hypotheses_changed'; changed: Hypothesis[] }
  /** Open steps are held against a final answer; the message enters the log with the next turn. */
  | { type: 'plan_reminded'; message: UserMessage }
  /** The answer lacks something; the message enters the log with the next turn. */
  | { type: 'answer_sent_back'; lacks: AnswerLack; message: UserMessage; faults: readonly string[] }
  /** Tools were appended to the run's tools; the next request has them. */
  | { type: 'tools_loaded'; loaded: LoadedTools }
  | { type: 'skills_loaded'; names: string[] }
  | { type: 'batch_finished' }
  /** The provider refused the request as longer than its window. */
  | { type: 'overflowed'; message: AssistantMessage }
  /** A person requested a condense while the session was idle. */
  | { type: 'condense_requested' }
  | { type: 'condense_started'; reason: CondenseReason }
  | ({ type: 'condensed'; plan: CondensePlan; segment?: Segment } & SummarizeResult)
  /** Facts that code knows were added to the run's report, or made into one. */
  | { type: 'report_completed'; report: ReportRef }
  /** The facts in the messages up to `toSeq` are in the notes; `facts` is their number. */
  | { type: 'memory_flushed'; toSeq: number; facts: number }
  /** After a failed condense: the old part leaves the view without a summary. */
  | { type: 'view_dropped'; plan: CondensePlan }
  /** Nothing could be folded: long messages are cut to fit the window. */
  | { type: 'view_fitted' }
  | { type: 'condense_failed'; message: string; paid?: PaidFailure }
  /** A person stopped the condense: not a failure. */
  | { type: 'condense_stopped' }
  /** The condense was due but not possible: nothing to fold, or no condense left (then the model's owner is warned). */
  | { type: 'condense_skipped'; warn: boolean }
  /** A message from a hook to the model: at once if a request is next, else with the next turn. */
  | { type: 'injected'; message: UserMessage }
  /** `hook` is its key (ListedHook). */
  | { type: 'hook_state'; hook: string; state: Json }
  /** Added to the data that the run's hooks share. */
  | { type: 'hook_data'; data: JsonObject }
  /** A hook answers the run in place of the model. */
  | { type: 'answer_given'; hook: string; text: string }
  /** A hook sends a finished answer back: the run continues with this message. */
  | { type: 'run_reopened'; message: UserMessage }
  /** Applies to the rest of the run; the session's own view returns after it (MSG-15). */
  | { type: 'view_replaced'; messages: Message[] }
  /** Assembled with these settings; they apply to the rest of the run (HOOK-05). */
  | { type: 'context_replaced'; context: FrozenContext; settings: SessionSettings }
  | { type: 'turn_ended' }
  /** One last request without tools goes out; then the run ends this way. */
  | { type: 'finalizing'; end: RunEnd }
  /** The run will end this way, whatever comes in between. */
  | { type: 'ending'; end: RunEnd }
  /** A hook at the end of the run changes its end. */
  | { type: 'end_replaced'; end: RunEnd }
  | { type: 'aborting' }
  /** The run's deadline has passed: it is stopped like an abort, and ends as timed out. */
  | { type: 'timed_out' }
  /** `output` is given if the state no longer holds the whole run. */
  | { type: 'run_ended'; output?: RunOutput }
  | { type: 'archived'; segment: Segment }
  /** Settings for the next runs, over the start input (STATE-07). */
  | { type: 'settings_changed'; settings: SessionSettings }
  | { type: 'budget_extended'; by: Budget }
  /** The view begins anew; the earlier log is in the segment (STATE-08). */
  | { type: 'was_reset'; segment?: Segment };

export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;
