// The entry for workflows that call Holdfast (`holdfast/workflow`): an investigation as a child, and every signal,
// query and update of a session by name and type. Runs in Temporal's sandbox: imports only @temporalio/workflow, types
// and wire names.
export * from './calling/investigate.ts';
export { defineOutput } from './calling/investigation.ts';
export type { InvestigateOptions, Investigation, OutputSchema } from './calling/investigation.ts';
export { agentSessionType, queries, signals, updates } from './workflows/session/workflow-api.ts';
export type { Queries, Signals, Updates } from './workflows/session/workflow-api.ts';
export * from './calling/session-service.ts';
export type { Json, JsonSchema } from '../packages/base/src/json.ts';
export type { Budget } from '../packages/vocabulary/src/agent-spec.ts';
export type { ChildUpdate } from '../packages/vocabulary/src/child-update.ts';
export type { Change, RunResult, RunStatus, SessionResult } from '../packages/vocabulary/src/run-result.ts';
export type { NotifyTarget, PromptInput, SessionInput } from '../packages/vocabulary/src/session-input.ts';
export type {
  PendingApproval,
  PendingQuestion,
  Snapshot,
  SnapshotRequest,
} from '../packages/vocabulary/src/snapshot.ts';
export type { NarrowingRule } from '../packages/vocabulary/src/tool-spec.ts';
export type { EventPage } from '../packages/vocabulary/src/events.ts';
export type { MessagePage } from '../packages/vocabulary/src/session-api.ts';
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
} from '../packages/vocabulary/src/session-api.ts';
export type {
  TakeBack,
  Answer,
  ApprovalAnswer,
  FollowUpMessage,
  NamedAnswer,
  NamedQuestionAnswer,
  QuestionAnswer,
  SteerMessage,
} from '../packages/vocabulary/src/snapshot.ts';
