// The entry for workflows that call Holdfast (`holdfast/workflow`): an investigation as a child, and every signal,
// query and update of a session by name and type. Runs in Temporal's sandbox: imports only @temporalio/workflow, types
// and wire names.
export * from './calling/investigate.ts';
export { defineOutput } from './calling/investigation.ts';
export type { InvestigateOptions, Investigation, OutputSchema } from './calling/investigation.ts';
export { agentSessionType, queries, signals, updates } from './workflows/workflow-api.ts';
export type { Queries, Signals, Updates } from './workflows/workflow-api.ts';
export * from './calling/session-service.ts';
export type { Json, JsonSchema } from './core/base/json.ts';
export type { Budget } from './core/model/agent-spec.ts';
export type { ChildUpdate } from './core/model/child-update.ts';
export type { Change, RunResult, RunStatus, SessionResult } from './core/model/run-result.ts';
export type { NotifyTarget, PromptInput, SessionInput } from './core/model/session-input.ts';
export type { PendingApproval, PendingQuestion, Snapshot, SnapshotRequest } from './core/model/snapshot.ts';
export type { NarrowingRule } from './core/model/tool-spec.ts';
export type { EventPage } from './core/model/events.ts';
export type { MessagePage } from './core/model/session-api.ts';
export type {
  AcceptedCondense,
  AnswerToQuestion,
  AnsweredQuestion,
  CancelledMessage,
  ContinueOptions,
  ExtendedBudget,
  ForgottenAllowance,
  QueueModeChange,
  ResolvedApproval,
  StartedRun,
  TakenBackFinding,
} from './core/model/session-api.ts';
export type {
  TakeBack,
  Answer,
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  NamedQuestionAnswer,
  QuestionAnswer,
  SteerMessage,
} from './core/model/snapshot.ts';
