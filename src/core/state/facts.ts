// What can happen to a session: one tagged union. Everything that changes the state is one of these.
import type { EvaluatePolicyResult, LoadedTools } from '../model/activity-contracts.ts';
import type { FrozenContext, Segment } from '../model/frozen-context.ts';
import type { HostVerdict } from '../model/hosts.ts';
import type { Budget, SessionSettings } from '../model/agent-spec.ts';
import type {
  AgentState,
  ModelReplyFact,
  RunEnd,
  ToolAnswer,
  TouchedFiles,
  Finding,
} from '../model/agent-state.ts';
import type { ModelPurpose } from '../model/model-call.ts';
import type { LoopKind } from './loop-verdict.ts';
import type { CondenseReason } from '../view/condense-reason.ts';
import type { CondensePlan } from '../view/condense/strategy.ts';
import type { QueueName } from '../model/events.ts';
import type { Json } from '../base/json.ts';
import type { Plan } from '../model/plan.ts';
import type { PaidFailure } from '../model/call-results.ts';
import type { Child, TaskResult } from '../model/children.ts';
import type {
  Completion,
  NamedCall,
  PurposeUsage,
  ReportRef,
  RunOutput,
  RunStatus,
} from '../model/run-result.ts';
import type {
  AssistantMessage,
  CallDecision,
  Message,
  Preface,
  PromptMessage,
  Usage,
  UserMessage,
} from '../model/messages.ts';

export type NewChild = Omit<
  Child,
  'state' | 'startedAt' | 'endedAt' | 'status' | 'usage' | 'costUsd' | 'result'
>;
/** What has become of a child: its usage goes to the parent. */
export type ChildEnd = {
  childId: string;
  status: RunStatus;
  usage: PurposeUsage;
  costUsd: number;
  costUnknown?: true;
  toolCalls: number;
  result: TaskResult;
  /** Its calls that the result names: a report may quote them. */
  calls?: NamedCall[];
  /** Ids of messages that no run of it took. */
  undelivered?: string[];
};

/** What an answer may lack: the report that its agent owes, or the form of its outputSchema. */
export type AnswerLack = 'report' | 'output';

/** Its time is that of the answer, where nothing is said. */
export type Decided = Omit<CallDecision, 'at'> & { at?: number };

export type Fact =
  | { type: 'seeded'; messages: Message[] }
  /** The session continues from the state of another. */
  | { type: 'imported'; state: AgentState }
  /** A prompt was accepted: the session is busy from here to run_ended. */
  | { type: 'run_accepted'; messages: PromptMessage[]; polled: boolean; continued: boolean }
  | { type: 'context_assembled'; context: FrozenContext }
  /** Assembled anew before a request, where the agent wants that. */
  | { type: 'context_refreshed'; context: FrozenContext }
  /** Goes before the words of the run's first message from a person. */
  | { type: 'prefaced'; preface: Preface[] }
  /** Messages were taken out of a queue; they enter the log with the next turn. */
  | { type: 'messages_drained'; queue: QueueName; messages: PromptMessage[] }
  | { type: 'turn_started' }
  /** The agent warns the model of repeating itself; the message enters the log with the next turn. */
  | { type: 'loop_warned'; of: LoopKind; count: number; message: UserMessage }
  /** Of going in a circle over condenses; the message enters the log with the next turn. */
  | { type: 'circle_warned'; message: UserMessage }
  | { type: 'model_called' }
  | { type: 'model_replied'; reply: ModelReplyFact }
  /** An assistant record that stays out of the view: the model failed, or was stopped. */
  | { type: 'model_stopped'; message: AssistantMessage; costUsd?: number; wasted?: Usage }
  /** A call without a message has its bill too: one that failed for good, and a question beside the loop. */
  | { type: 'model_paid'; costUsd: number; wasted: Usage; purpose?: ModelPurpose }
  /** Nobody waits for people any more; `ms` since the first of them was asked. */
  | { type: 'people_answered'; ms: number }
  | ({ type: 'policy_evaluated' } & EvaluatePolicyResult)
  /** Calls on hosts, judged there; `unreachable` ones do not run. */
  | { type: 'calls_inspected'; verdicts: HostVerdict[]; unreachable: { callId: string; reason: string }[] }
  | { type: 'tools_begun' }
  /** `index` is the call's place in the batch: a model may use one id twice. */
  | { type: 'tool_started'; index: number }
  | { type: 'tool_answered'; index: number; answer: ToolAnswer; denied?: boolean; decided?: Decided }
  | { type: 'finding_pinned'; finding: Finding }
  /** Instance names were given to children of these agents of the configuration. */
  | { type: 'children_named'; agents: string[] }
  /** `parent` is the instance name of this session. */
  | { type: 'child_started'; child: NewChild; parent: string }
  | ({ type: 'child_ended'; parent: string } & ChildEnd)
  /** The agent says that its work is done; only the first call of a run counts. */
  | { type: 'task_completed'; completion: Completion }
  /** Set, or one of its steps marked: the one that is named. */
  | { type: 'plan_changed'; plan: Plan; stepId?: string }
  /** Open steps are held against a final answer; the message enters the log with the next turn. */
  | { type: 'plan_reminded'; message: UserMessage }
  /** The answer lacks something; the message enters the log with the next turn. */
  | { type: 'answer_sent_back'; lacks: AnswerLack; message: UserMessage; faults: readonly string[] }
  /** Appended to the run's tools; the next request has them. */
  | { type: 'tools_loaded'; loaded: LoadedTools }
  | { type: 'skills_loaded'; names: string[] }
  | { type: 'batch_finished' }
  /** The provider refused the request as longer than its window. */
  | { type: 'overflowed'; message: AssistantMessage }
  /** By a person, while idle. */
  | { type: 'condense_requested' }
  | { type: 'condense_started'; reason: CondenseReason }
  | {
      type: 'condensed';
      plan: CondensePlan;
      summary: string;
      usage: Usage;
      costUsd: number;
      segment?: Segment;
      files?: TouchedFiles;
    }
  /** What the run knows of itself was added to its report, or made one. */
  | { type: 'report_completed'; report: ReportRef }
  /** What is worth keeping of the messages up to `toSeq` is in the notes: so many facts. */
  | { type: 'memory_flushed'; toSeq: number; facts: number }
  /** In place of a condense that failed: the old part leaves the view without a summary. */
  | { type: 'view_dropped'; plan: CondensePlan }
  /** Nothing is folded: long messages are cut to what the window holds. */
  | { type: 'view_fitted' }
  | { type: 'condense_failed'; message: string; paid?: PaidFailure }
  /** By a person: nothing is wrong with it. */
  | { type: 'condense_stopped' }
  /** Due, but not possible: nothing to fold, or none left (then the model's owner is warned). */
  | { type: 'condense_skipped'; warn: boolean }
  /** A hook says something to the model: at once where the model is next, else with the next turn. */
  | { type: 'injected'; message: UserMessage }
  /** `hook` is its key (ListedHook). */
  | { type: 'hook_state'; hook: string; state: Json }
  /** For the rest of the run; the session's own view comes back after it (MSG-15). */
  | { type: 'view_replaced'; messages: Message[] }
  /** Assembled with these settings; they hold for the rest of the run (HOOK-05). */
  | { type: 'context_replaced'; context: FrozenContext; settings: SessionSettings }
  | { type: 'turn_ended' }
  /** One last request without tools goes out; then the run ends this way. */
  | { type: 'finalizing'; end: RunEnd }
  /** The run is going to end this way, whatever else comes. */
  | { type: 'ending'; end: RunEnd }
  /** A hook at the end of the run decides otherwise about it. */
  | { type: 'end_replaced'; end: RunEnd }
  | { type: 'aborting' }
  /** The run's deadline has passed: it is stopped like by an abort, and ends as timed out. */
  | { type: 'timed_out' }
  /** `output` where the state no longer holds the whole run. */
  | { type: 'run_ended'; output?: RunOutput }
  | { type: 'archived'; segment: Segment }
  /** What the next runs are to be assembled with, over the start input (STATE-07). */
  | { type: 'settings_changed'; settings: SessionSettings }
  | { type: 'budget_extended'; by: Budget }
  /** The view begins anew; what the log held is in the segment (STATE-08). */
  | { type: 'was_reset'; segment?: Segment };
