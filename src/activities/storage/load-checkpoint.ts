// The activity loadCheckpoint: finds and checks the checkpoint that a session continues from, and puts its messages where the new
// session's worker finds them, so that they cost no history. Runs in Node. Never starts afresh where something is.
import { ApplicationFailure } from '@temporalio/common';
import { jsonBytes, tailBytes } from '../../core/base/sizes.ts';
import { parseCheckpoint, parseCheckpointText } from '../../core/checkpoint/checkpoint.schema.ts';
import { agentInput } from '../../core/checkpoint/checkpoint.ts';
import { toImportedState } from '../../core/checkpoint/import-checkpoint.ts';
import type { LoadCheckpointInput, LoadedCheckpoint } from '../../core/model/storage-contracts.ts';
import { rulesOfStart } from '../../core/tools/access.ts';
import { withinParent } from '../../core/agent/delegation/within-parent.ts';
import { defaultAgent } from '../../core/agent/start.ts';
import type { AgentSpec } from '../../core/model/agent-spec.ts';
import type { AgentState } from '../../core/model/agent-state.ts';
import type { FrozenContext } from '../../core/model/frozen-context.ts';
import type { LogRecord, Message } from '../../core/model/messages.ts';
import type { ReportRef } from '../../core/model/run-result.ts';
import type { Checkpoint, ParentLink, SessionInput } from '../../core/model/session-input.ts';
import { reportJsonName } from '../../core/report/report.ts';
import { checkpointsKey } from '../../core/model/outer-names.ts';
import type { Parsed } from '../../core/base/json.ts';
import { archivableRange, withSegment } from '../../core/view/log.ts';
import { canonicalJson, digestOf, sha256Hex } from '../context/digest.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { skillArtifact } from '../skills/skill-artifact.ts';
import { nameOf } from './save-session.ts';
import { piecesNamedBy } from '../../stored/stored-output.ts';
import { loadSegment, storeSegment, storeUnavailable } from './segments.ts';

const maxStateBytes = 1.5 * 1024 * 1024;

export type LoadCheckpointDeps = {
  artifacts: ArtifactStore;
  searchAttributes: readonly string[];
  /** Asked for `offTheRecord` of an agent, where neither start nor checkpoint say it. */
  agents?: ReadonlyMap<string, AgentSpec>;
};

/** Fails finally with a type `Checkpoint.*` that names the fault. */
export function createLoadCheckpoint(
  deps: LoadCheckpointDeps,
): (input: LoadCheckpointInput) => Promise<LoadedCheckpoint> {
  const { artifacts } = deps;
  return async function loadCheckpoint(input) {
    const now = Date.now();
    const found = await findCheckpoint(artifacts, input);
    if (found === undefined) return {};
    const { checkpoint, where } = found;
    const origin = checkpoint.session?.state.sessionId ?? '';
    const records = await readRecords(artifacts, origin, checkpoint, where);
    const imported = toImportedState(checkpoint, records, { ...input, now });
    const { state, continues } = expectGood(imported, where);
    const inherited = checkpoint.session?.input ?? {};
    const unstored = isOffTheRecord({ ...inherited, ...input.input }, state, deps);
    const named = unstored ? new Set<string>() : artifactsOf(state, records);
    const missing = await copyArtifacts(artifacts, origin, input.sessionId, named);
    const stored = unstored ? state : await withStoredLog(artifacts, state);
    const parent = input.parent && fromRunStart(input.parent, stored.run?.startedAt ?? now, now);
    const within = parent ? { parent } : {};
    return {
      state: withinSize(withContext(stored, deps, inherited, { input: input.input, ...within }), where),
      ...(continues ? { continues } : {}),
      input: { ...inherited, ...input.input, ...within },
      ...(missing === 0 ? {} : { warnings: [missingText(missing, origin)] }),
    };
  };
}

/** Then nothing is copied into the store of the new session (MODE-04). */
function isOffTheRecord(
  { offTheRecord, agent = defaultAgent }: SessionInput,
  { context }: AgentState,
  { agents }: LoadCheckpointDeps,
): boolean {
  return offTheRecord ?? context?.settings.offTheRecord ?? agents?.get(agent)?.offTheRecord ?? false;
}

type Found = { checkpoint: Checkpoint; where: string };

async function findCheckpoint(
  artifacts: ArtifactStore,
  { sessionId, taskId, checkpoint }: LoadCheckpointInput,
): Promise<Found | undefined> {
  if (checkpoint === 'saved') {
    const name = nameOf(taskId);
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

function fromBytes(bytes: Uint8Array, where: string): Found {
  return { checkpoint: expectGood(parseCheckpointText(new TextDecoder().decode(bytes)), where), where };
}

/** Inline, or from the store that the writing session used. */
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
  const stored: LogRecord[] = [];
  for (const segment of segments) stored.push(...(await loadSegment(artifacts, origin, segment)));
  return [...stored, ...records];
}

/** All but the newest records as a segment of the new session. */
async function withStoredLog(artifacts: ArtifactStore, state: AgentState): Promise<AgentState> {
  const range = archivableRange(state.log, tailBytes);
  if (!range) return state;
  const records = state.log.records.filter(({ seq }) => seq <= range.toSeq);
  const segment = await storeSegment(artifacts, state.sessionId, records, range);
  // with the outline of the stored messages, which a later condense is planned on
  const view = { fromSeq: state.view.fromSeq, context: state.context };
  return { ...state, log: withSegment(state.log, segment, view) };
}

/** Times count from the start of a run; those that a parent gives, from the start of its child. */
function fromRunStart({ within, ...parent }: ParentLink, startedAt: number, now: number): ParentLink {
  const { budget, deadlineMs } = within;
  const used = Math.max(0, now - startedAt);
  const { wallMs } = budget;
  return {
    ...parent,
    within: {
      ...within,
      ...(deadlineMs === undefined ? {} : { deadlineMs: deadlineMs + used }),
      ...(wallMs === undefined ? {} : { budget: { ...budget, wallMs: wallMs + used } }),
    },
  };
}

/**
 * A run that continues keeps its frozen context, so that its next request is the one that was due; store and server
 * are those of today. Where the new session says otherwise of the agent, it is assembled anew.
 */
function withContext(
  state: AgentState,
  deps: LoadCheckpointDeps,
  inherited: SessionInput,
  { input: own, parent }: Pick<LoadCheckpointInput, 'input' | 'parent'>,
): AgentState {
  const { context, ...bare } = state;
  const rest = { ...bare, ...withoutOverridden(state, own) };
  if (!context || !state.run || !sameAgent(inherited, own)) return rest;
  const { digest: _, artifactStore: __, startPolicy: ___, ...frozen } = context;
  const moved: Omit<FrozenContext, 'digest'> = {
    ...frozen,
    // the new parent may allow less than the former one did
    settings: parent ? withinParent(frozen.settings, parent) : frozen.settings,
    ...rulesOfStart({ ...inherited, ...own, ...(parent ? { parent } : {}) }),
    searchAttributes: [...deps.searchAttributes],
    artifactStore: deps.artifacts.id,
  };
  return { ...rest, context: { ...moved, digest: digestOf(moved) } };
}

/** The start input wins over settings of the other session's time. */
function withoutOverridden({ settings }: AgentState, own: SessionInput): Pick<AgentState, 'settings'> {
  if (!settings) return {};
  return { settings: Object.fromEntries(Object.entries(settings).filter(([field]) => !(field in own))) };
}

/** It passes through history once, and the server has a limit. */
function withinSize(state: AgentState, where: string): AgentState {
  const size = jsonBytes(state);
  if (size <= maxStateBytes) return state;
  const reason = `its state is ${Math.ceil(size / 1024)} KiB without its messages, at most ${maxStateBytes / 1024} fit; export it between two turns`;
  throw refused('TooLarge', where, reason);
}

function sameAgent(inherited: SessionInput, own: SessionInput): boolean {
  const before = new Map<string, unknown>(Object.entries(inherited));
  return Object.entries(agentInput(own)).every(
    ([field, value]) => canonicalJson(before.get(field)) === canonicalJson(value),
  );
}

function missingText(count: number, origin: string): string {
  return `${count} outputs that the messages name are not in this store: session ${origin} kept them in another. They cannot be read again or quoted.`;
}

function expectGood<T>(parsed: Parsed<T>, where: string): T {
  if (parsed.ok) return parsed.value;
  throw refused(parsed.code.replace('Checkpoint.', ''), where, parsed.reason);
}

function refused(code: string, where: string, reason: string): ApplicationFailure {
  const message = `The session was not started, because ${where} cannot be continued: ${reason}.`;
  return ApplicationFailure.create({ type: `Checkpoint.${code}`, message, nonRetryable: true });
}

const atOnce = 8;

/** How many of the named artifacts the store lacks. */
async function copyArtifacts(
  artifacts: ArtifactStore,
  from: string,
  to: string,
  names: ReadonlySet<string>,
): Promise<number> {
  if (from === to) return 0;
  const queue = [...names];
  let missing = 0;
  const copyNext = async (): Promise<void> => {
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const bytes = await artifacts.get(from, name).catch(storeUnavailable);
      if (bytes === undefined) missing += 1;
      else {
        queue.push(...piecesNamedBy(name, bytes));
        await artifacts.put(to, name, bytes).catch(storeUnavailable);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, copyNext));
  return missing;
}

/** Outputs, images and reports of the log and of the batch in hand, and skills. */
function artifactsOf({ run, lastResult, context }: AgentState, records: LogRecord[]): Set<string> {
  const answers = run?.batch.flatMap(({ answer }) => (answer ? [answer.message] : [])) ?? [];
  const messages = [...records, ...answers, ...(run?.pending ?? [])];
  const reports = [run?.report, lastResult?.report];
  // a run that continues reads the skills that it began with
  const skills = run ? (context?.skills ?? []).map(({ sha256 }) => skillArtifact(sha256)) : [];
  return new Set([...messages.flatMap(namedBy), ...reports.flatMap(filesOf), ...skills]);
}

function namedBy(message: Message): string[] {
  if (message.role === 'custom') return [];
  const images = message.content.flatMap((part) => (part.type === 'image' ? [part.artifactId] : []));
  const output = message.role === 'tool_result' ? message.artifactId : undefined;
  return output === undefined ? images : [...images, output];
}

function filesOf(report: ReportRef | undefined): string[] {
  return report ? [report.artifactId, reportJsonName(report.artifactId)] : [];
}
