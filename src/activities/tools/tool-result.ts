// The result of a tool call from the outcome of its body: clean, stored whole, capped for the model.
// Runs in Node; the order (clean, store, cap) is what keeps secrets out of store and history.
import type { ToolCallInput } from '../../core/model/activity-contracts.ts';
import type { ToolCallResult } from '../../core/model/call-results.ts';
import { agentDefaults } from '../../core/model/agent-spec.ts';
import type { ToolResultMessage } from '../../core/model/messages.ts';
import { jsonBytes, maxPayloadBytes } from '../../core/base/sizes.ts';
import type { ToolSpec } from '../../core/model/tool-spec.ts';
import { type ArtifactStore, toolOutputId } from '../storage/artifact-store.ts';
import { capText, cleanDetails, cleanImages, cleanText } from './clean-output.ts';
import type { MessageCache } from '../context/message-cache.ts';
import type { Redactor } from '../redaction/redaction.ts';
import type { HandlerRun } from './run-handler.ts';

export type ToolResultDeps = {
  artifacts: ArtifactStore;
  redactor: Redactor;
  /** Keeps the message where callModel looks for it, and returns its digest. */
  cache: Pick<MessageCache, 'remember'>;
};

/** The name of the full output in the store, or why it has none. */
type Kept = { artifactId: string } | { lost: true } | { notEvidence: true } | { offTheRecord: true };

/** What a run is frozen to, as far as it is about what is stored. */
export type FrozenStore = { artifactStore?: string | undefined; offTheRecord?: boolean };

/** The end of a text whose call a person stopped. */
export const stoppedNotice = '[Stopped before it had finished: this is what it had.]';

/**
 * Cleans, stores and caps the outcome of a body that ran. `frozen` is what the run is frozen to: a worker with another store keeps
 * nothing and names no artifact, and off the record nobody does.
 */
export async function toToolCallResult(
  run: HandlerRun,
  spec: ToolSpec,
  input: ToolCallInput,
  deps: ToolResultDeps,
  frozen: FrozenStore = {},
): Promise<ToolCallResult> {
  const { outcome } = run;
  const text = withStopNotice(cleanText(outcome.text, deps.redactor), run);
  const full = typeof outcome.full === 'string' ? cleanText(outcome.full, deps.redactor) : text;
  const kept =
    outcome.ownWords === true ? { notEvidence: true as const } : await keepOutput(full, input, deps, frozen);
  const toMessage = (cap: number): ToolResultMessage => ({
    ...messageHead(spec, input, outcome.isError === true),
    content: [{ type: 'text', text: shownText(text, full, kept, cap) }, ...cleanImages(outcome.images)],
    ...(outcome.details === undefined ? {} : { details: cleanDetails(outcome.details, deps.redactor) }),
    ...('artifactId' in kept ? { artifactId: kept.artifactId } : {}),
  });
  return finish(withinPayload(toMessage, input.resultCap ?? agentDefaults.toolResultCap), run, input, deps);
}

/** The result of a call that was refused before its body ran: nothing is stored. */
export function toRefusedResult(
  reason: string,
  spec: ToolSpec,
  input: ToolCallInput,
  deps: ToolResultDeps,
): ToolCallResult {
  const text = cleanText(reason, deps.redactor);
  const message: ToolResultMessage = { ...messageHead(spec, input, true), content: [{ type: 'text', text }] };
  return { message, digest: deps.cache.remember(input.sessionId, message) };
}

function messageHead(
  spec: ToolSpec,
  input: ToolCallInput,
  isError: boolean,
): Pick<ToolResultMessage, 'role' | 'callId' | 'toolName' | 'isError'> {
  return { role: 'tool_result', callId: input.callId, toolName: spec.name, isError };
}

function finish(
  message: ToolResultMessage,
  run: HandlerRun,
  input: ToolCallInput,
  deps: ToolResultDeps,
): ToolCallResult {
  const { outcome, interrupted } = run;
  return {
    message,
    digest: deps.cache.remember(input.sessionId, message),
    ...(outcome.terminate === true && !message.isError ? { terminate: true } : {}),
    ...(interrupted === true ? { interrupted } : {}),
    ...(outcome.report === undefined ? {} : { report: outcome.report }),
  };
}

function withStopNotice(text: string, run: HandlerRun): string {
  if (run.interrupted !== true || run.outcome.isError === true) return text;
  return `${text}\n${stoppedNotice}`;
}

async function keepOutput(
  full: string,
  input: ToolCallInput,
  deps: ToolResultDeps,
  { artifactStore: storeId, offTheRecord = false }: FrozenStore,
): Promise<Kept> {
  const { artifacts } = deps;
  if (offTheRecord) return { offTheRecord };
  // A store of another name is one that the other workers of this session do not see.
  if (storeId !== undefined && storeId !== artifacts.id) return { lost: true };
  try {
    const artifactId = toolOutputId(input.callId);
    await artifacts.put(input.sessionId, artifactId, full);
    return { artifactId };
  } catch {
    return { lost: true }; // full, read-only, gone: the model reads so, and the call is not lost
  }
}

function shownText(text: string, full: string, kept: Kept, cap: number): string {
  const body = text.trim() === '' ? '(no output)' : text;
  if ('notEvidence' in kept) return capText(body, cap, 'The rest was not kept.');
  if ('offTheRecord' in kept)
    return capText(body, cap, 'The rest was not kept: the session is off the record.');
  if ('lost' in kept) {
    const said = 'The full output was not kept: this worker cannot write the artifact store.';
    const notice = `\n[${said} Quotes from it cannot be looked up.]`;
    return capText(body, Math.max(0, cap - notice.length), said) + notice;
  }
  const where = `The full output is artifact ${kept.artifactId}: read_artifact pages and searches it.`;
  if (full === text || full.length <= cap) return capText(body, cap, where);
  const notice = `\n[Part of ${full.length} characters. ${where}]`;
  return capText(body, Math.max(0, cap - notice.length), where) + notice;
}

// A large cap, or text of many bytes a character: the payload limit is in bytes and it wins.
function withinPayload(toMessage: (cap: number) => ToolResultMessage, resultCap: number): ToolResultMessage {
  // for digest, flags and the report reference
  const room = maxPayloadBytes - 4_096;
  let cap = resultCap;
  for (;;) {
    const message = toMessage(cap);
    const sizeBytes = jsonBytes(message);
    if (sizeBytes <= room || cap < 1_000) return message;
    cap = Math.floor(cap * Math.min(0.9, room / sizeBytes));
  }
}
