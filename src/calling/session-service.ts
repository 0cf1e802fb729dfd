// The Nexus service `holdfast`: the calls of a session for workflows of other namespaces. The definition that callers
// and workers share; safe in the sandbox. The handlers are in src/nexus.
import { operation, service } from 'nexus-rpc';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { AnsweredQuestion, ResolvedApproval } from '@holdfast/vocabulary/session-api';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type {
  FollowUpMessage,
  NamedAnswer,
  NamedQuestionAnswer,
  Snapshot,
  SnapshotRequest,
  SteerMessage,
} from '@holdfast/vocabulary/snapshot';

/** A start input. Default of `sessionId`: made from the id of the request. */
export type InvestigateRequest = SessionInput & { sessionId?: string };

/** A message to a session, with the session's id. */
export type ToSession<Message> = Message & SnapshotRequest;

/** `createNexusServiceClient({ service: sessionService, endpoint })` calls it from a workflow. */
export const sessionService = service('holdfast', {
  /** Runs a session until it closes. A cancel of the operation stops it; its result still comes. */
  investigate: operation<InvestigateRequest, SessionResult>(),
  snapshot: operation<SnapshotRequest, Snapshot>(),
  steer: operation<ToSession<SteerMessage>, void>(),
  followUp: operation<ToSession<FollowUpMessage>, void>(),
  resolveApproval: operation<ToSession<NamedAnswer>, ResolvedApproval>(),
  answerQuestion: operation<ToSession<NamedQuestionAnswer>, AnsweredQuestion>(),
  /** Ends the current run. */
  abort: operation<SnapshotRequest, void>(),
});
