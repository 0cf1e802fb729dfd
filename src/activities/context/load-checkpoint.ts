// The activity loadCheckpoint: finds and checks the checkpoint from which a session continues, and stores its messages
// for the new session's worker, so that they cost no history. Runs in Node. Never starts afresh if a checkpoint exists.
import type { Activities } from '@holdfast/vocabulary/activity-table';
import { mergeOptions, modelOptions, toStart } from '@holdfast/vocabulary/merge-options';
import { defined } from '@holdfast/base/defined';
import { counted } from '@holdfast/base/words';
import { ApplicationFailure } from '@temporalio/common';
import { jsonBytes, tailBytes } from '@holdfast/base/sizes';
import { parseCheckpoint, parseCheckpointText } from '../../core/checkpoint/checkpoint.schema.ts';
import { agentInput } from '../../core/checkpoint/checkpoint.ts';
import { toImportedState } from '../../core/checkpoint/import-checkpoint.ts';
import type { LoadCheckpointInput } from '@holdfast/vocabulary/storage-contracts';
import { rulesOfStart } from '../../core/tools/access.ts';
import { withinParent } from '../../core/agent/delegation/within-parent.ts';
import {
  defaultAgent,
  type Checkpoint,
  type ParentLink,
  type SessionInput,
} from '@holdfast/vocabulary/session-input';
import type { AgentSpec, SessionSettings } from '@holdfast/vocabulary/agent-spec';
import { type AgentState, storedIdOf } from '@holdfast/vocabulary/agent-state';
import type { FrozenContext, Segment } from '@holdfast/vocabulary/frozen-context';
import { type ImagePart, type LogRecord, pictureNote } from '@holdfast/vocabulary/messages';
import { checkpointsKey } from '@holdfast/vocabulary/outer-names';
import type { Parsed } from '@holdfast/base/json';
import { present } from '@holdfast/base/present';
import { archivableRange, withSegment } from '@holdfast/view/log';
import { canonicalJson, digestOf } from '../base/digest.ts';
import { sha256Hex } from '@holdfast/stored/sha256';
import type { ArtifactStore } from '../storage/artifact-store.ts';
import { artifactsOf, copyArtifacts, messagesOf } from './session-artifacts.ts';
import { toArtifactName } from './save-session.ts';
import { keepsGroups } from '../../core/state/reduce-context.ts';
import { takeName } from '../storage/take-name.ts';
import { leafSegments } from '@holdfast/stored/leaf-segments';
import { loadSegment, storeSegment, storeUnavailable } from '../storage/segments.ts';

const maxStateBytes = 1.5 * 1024 * 1024;

export type LoadCheckpointDeps = {
  artifacts: ArtifactStore;
  searchAttributes: readonly string[];
  /** Provides `offTheRecord` of an agent, if neither start nor checkpoint has it. */
  agents?: ReadonlyMap<string, AgentSpec>;
};

/** Fails finally with a type `Checkpoint.*` that names the fault. */
export function createLoadCheckpoint(deps: LoadCheckpointDeps): Activities['loadCheckpoint'] {
  const { artifacts } = deps;
  return async function loadCheckpoint(input) {
    const now = Date.now();
    const found = await findCheckpoint(artifacts, input);
    if (found === undefined) return {};
    const { checkpoint, where } = found;
    const origin = checkpoint.session ? storedIdOf(checkpoint.session.state) : '';
    const records = await readRecords(artifacts, origin, checkpoint, where);
    const imported = toImportedState(checkpoint, records, { ...input, now });
    const good = expectGood(imported, where);
    const inherited = checkpoint.session?.input ?? {};
    const unstored = isOffTheRecord({ ...inherited, ...input.input }, good.state, deps);
    const storedAs = await takeName(artifacts, input, !unstored);
    const state = { ...good.state, storedAs };
    const messages = messagesOf(state, records);
    const named = artifactsOf(state, messages);
    const places = { from: origin, to: storedAs };
    const missing = unstored ? named : await copyArtifacts(artifacts, places, messages, named);
    const shown = withoutLost(state, missing);
    const stored = unstored ? shown : await withStoredLog(artifacts, shown);
    const parent = input.parent && fromRunStart(input.parent, stored.run?.startedAt ?? now, now);
    const within = parent ? { parent } : {};
    return defined({
      state: withinSize(withContext(stored, deps, inherited, { input: input.input, ...within }), where),
      continues: good.continues || undefined,
      input: { ...mergeOptions(inherited, input.input), ...within },
      warnings: unstored || missing.size === 0 ? undefined : [missingText(missing, origin)],
    });
  };
}

/** If so, nothing is copied into the store of the new session (MODE-04). */
function isOffTheRecord(
  { offTheRecord, agent = defaultAgent }: SessionInput,
  { context }: AgentState,
  { agents }: LoadCheckpointDeps,
): boolean {
  return offTheRecord ?? context?.settings.offTheRecord ?? agents?.get(agent)?.offTheRecord ?? false;
}

type FoundCheckpoint = { checkpoint: Checkpoint; where: string };

async function findCheckpoint(
  artifacts: ArtifactStore,
  { sessionId, taskId, checkpoint }: LoadCheckpointInput,
): Promise<FoundCheckpoint | undefined> {
  if (checkpoint === 'saved') {
    const name = toArtifactName(taskId);
    const bytes = await artifacts.get(checkpointsKey, name).catch(storeUnavailable);
    if (bytes === undefined) return undefined;
    const found = fromBytes(bytes, `${name} of the artifact store`);
    if (found.checkpoint.task_id === taskId) return found;
    throw refused('OtherTask', found.where, `it is of task "${found.checkpoint.task_id}", not "${taskId}"`);
  }
  if (!('artifactId' in checkpoint)) {
    const where = 'the checkpoint of the start input';
    return { checkpoint: expectGood(parseCheckpoint(checkpoint), where), where };
  }
  const bytes = await artifacts.get(sessionId, checkpoint.artifactId).catch(storeUnavailable);
  if (bytes !== undefined && sha256Hex(bytes) === checkpoint.sha256) {
    return fromBytes(bytes, checkpoint.artifactId);
  }
  const what = bytes === undefined ? 'is not in the store of this worker' : 'is not what was stored';
  throw refused('NotReachable', checkpoint.artifactId, `it ${what}; let client and worker use one store`);
}

function fromBytes(bytes: Uint8Array, where: string): FoundCheckpoint {
  return { checkpoint: expectGood(parseCheckpointText(new TextDecoder().decode(bytes)), where), where };
}

/** Inline, or from the store of the writing session. */
async function readRecords(
  artifacts: ArtifactStore,
  origin: string,
  { messages }: Checkpoint,
  where: string,
): Promise<LogRecord[]> {
  const { segments, fromSeq, toSeq, records = [] } = messages;
  if (records.length < toSeq - fromSeq + 1) {
    const reason = `messages ${fromSeq} to ${toSeq} are not in it; "holdfast checkpoint export" writes one with them`;
    throw refused('Incomplete', where, reason);
  }
  const readList = (segment: Segment) => loadSegment<Segment>(artifacts, origin, segment);
  const leaves = leafSegments(segments, 1, readList);
  const stored = await Array.fromAsync(leaves, (segment) => loadSegment(artifacts, origin, segment));
  return [...stored.flat(), ...records];
}

/** A model call would wait for a picture that the store lacks: its model reads a note instead. */
function withoutLost(state: AgentState, missing: ReadonlySet<string>): AgentState {
  const shown = (_name: string, part: ImagePart | null): unknown =>
    part && missing.has(part.artifactId) ? pictureNote(part, 'it is not in this store') : part;
  return missing.size === 0 ? state : JSON.parse(JSON.stringify(state), shown);
}

/** Moves all but the newest records into a segment of the new session. */
async function withStoredLog(artifacts: ArtifactStore, state: AgentState): Promise<AgentState> {
  const range = archivableRange(state.log, tailBytes);
  if (!range) return state;
  const records = state.log.records.filter(({ seq }) => seq <= range.toSeq);
  const segment = await storeSegment(artifacts, storedIdOf(state), records, range);
  // keeps the outline of the stored messages, from which a later condense is planned
  const view = { fromSeq: state.view.fromSeq, context: state.context };
  return { ...state, log: withSegment(state.log, segment, view) };
}

/** Limits count from the start of a run; those that a parent gives, from the start of its child. */
function fromRunStart({ within, ...parent }: ParentLink, startedAt: number, now: number): ParentLink {
  const { budget, deadlineMs } = within;
  const used = Math.max(0, now - startedAt);
  const { wallMs } = budget;
  return {
    ...parent,
    within: {
      ...within,
      ...defined({
        deadlineMs: deadlineMs === undefined ? undefined : deadlineMs + used,
        budget: wallMs === undefined ? undefined : { ...budget, wallMs: wallMs + used },
      }),
    },
  };
}

/**
 * A continued run keeps its frozen context, so that its next request is the one that was due; store and server are
 * today's. If the new session changes the agent, the context is assembled again.
 */
function withContext(
  state: AgentState,
  deps: LoadCheckpointDeps,
  inherited: SessionInput,
  { input: own, parent }: Pick<LoadCheckpointInput, 'input' | 'parent'>,
): AgentState {
  const { context, run, settings, loadedGroups, ...bare } = state;
  const rest = {
    ...bare,
    ...defined({
      loadedGroups: loadedGroups && (run || keepsGroups(context)) ? loadedGroups : undefined,
      settings: settings && notOverridden(settings, own),
      run: run && { ...run, settings: notOverridden(run.settings, own) },
    }),
  };
  if (!context || !run || !sameAgent(mergeOptions(inherited, toStart(run.settings)), own)) return rest;
  const { digest: _, artifactStore: __, startPolicy: ___, ...frozen } = context;
  const moved: Omit<FrozenContext, 'digest'> = {
    ...frozen,
    // the new parent may allow less than the former one did
    settings: parent ? withinParent(frozen.settings, parent) : frozen.settings,
    ...defined({ above: parent?.within.agents }),
    ...rulesOfStart({ ...inherited, ...own, ...defined({ parent }) }),
    searchAttributes: [...deps.searchAttributes],
    artifactStore: deps.artifacts.id,
  };
  return { ...rest, context: { ...moved, digest: digestOf(moved) } };
}

/** The start input overrides settings from the time of the other session. */
function notOverridden(settings: SessionSettings, own: SessionInput): SessionSettings {
  const { name: model, thinkingLevel } = modelOptions(own);
  const asked = new Map<string, unknown>(
    Object.entries({ ...own, model, thinkingLevel, toolExecution: own.loop?.toolExecution }),
  );
  return Object.fromEntries(Object.entries(settings).filter(([field]) => asked.get(field) === undefined));
}

/** The state passes through history once, and the server has a limit. */
function withinSize(state: AgentState, where: string): AgentState {
  const size = jsonBytes(state);
  if (size <= maxStateBytes) return state;
  const reason = `its state is ${Math.ceil(size / 1024)} KiB without its messages, at most ${maxStateBytes / 1024} fit; export it between two turns`;
  throw refused('TooLarge', where, reason);
}

function sameAgent(before: SessionInput, own: SessionInput): boolean {
  return spelled(mergeOptions(before, agentInput(own))) === spelled(before);
}

/** A model's name alone is the same as a group with only its name. */
function spelled(input: SessionInput): string {
  return canonicalJson({ ...input, model: modelOptions(input) });
}

function missingText(missing: ReadonlySet<string>, origin: string): string {
  const outputs = [...missing].filter((name) => !name.startsWith('report-')).length;
  const named = outputs > 0 ? [`${counted(outputs, 'output')} that the messages name`] : [];
  // a report is two files
  const what = present([...named, outputs < missing.size && 'its last report']).join(', and ');
  return `Not in this store: ${what}. Session ${origin} kept that in another, so it cannot be read again or quoted.`;
}

function expectGood<T>(parsed: Parsed<T>, where: string): T {
  if (parsed.ok) return parsed.value;
  throw refused(parsed.code.replace('Checkpoint.', ''), where, parsed.reason);
}

function refused(code: string, where: string, reason: string): ApplicationFailure {
  const message = `The session was not started, because ${where} cannot be continued: ${reason}.`;
  return ApplicationFailure.create({ type: `Checkpoint.${code}`, message, nonRetryable: true });
}
