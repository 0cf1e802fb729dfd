// The entry for workflows that call Holdfast (`holdfast/workflow`): an investigation as a child, and every signal,
// query and update of a session by name and type. Runs in Temporal's sandbox: imports only @temporalio/workflow, types
// and wire names.
export { investigate, startInvestigation } from './calling/investigate.ts';
export type { AgentSession, InvestigationHandle } from './calling/investigate.ts';
export { defineOutput } from './calling/investigation.ts';
export type { InvestigateOptions, Investigation, OutputSchema } from './calling/investigation.ts';
export { agentSessionType, queries, signals, updates } from './workflows/session/workflow-api.ts';
export type { Queries, Signals, Updates } from './workflows/session/workflow-api.ts';
export { type InvestigateRequest, sessionService } from './calling/session-service.ts';
export type { JsonSchema } from '@holdfast/base/json';
export type { EventPage } from '@holdfast/vocabulary/events';
export type { RunResult, SessionResult } from '@holdfast/vocabulary/run-result';
export type { PromptInput, SessionInput } from '@holdfast/vocabulary/session-input';
export type {
  Answer,
  ApprovalAnswer,
  FollowUpMessage,
  PendingApproval,
  PendingQuestion,
  QuestionAnswer,
  Snapshot,
  SteerMessage,
} from '@holdfast/vocabulary/snapshot';
