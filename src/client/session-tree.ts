// A session with all its subagents, each with state and cost. Running sessions are asked, a few at a time; for ended
// ones the parent has the end, and the server the rest. Runs in the caller's process.
import { eachAtOnce } from '@holdfast/base/at-once';
import { defined } from '@holdfast/base/defined';
import type { Client } from '@temporalio/client';
import type { SessionState } from '@holdfast/vocabulary/events';
import type { Completion, PurposeUsage, RunStatus } from '@holdfast/vocabulary/run-result';
import type { ChildSnapshot, Snapshot } from '@holdfast/vocabulary/snapshot';
import { ClientError } from './client-error.ts';
import { queries } from '../workflows/session/workflow-api.ts';
import type { SessionCaller } from './session-caller.ts';
import { cutOff } from '@holdfast/vocabulary/run-status';
import { type SessionListing, listBelow, toListing } from './session-list.ts';

export type SessionTree = {
  sessionId: string;
  /** Instance name of the subagent. */
  name: string;
  agent: string;
  prefix: string;
  /** 0 for the top session of the tree. */
  depth: number;
  task: string;
  /** `ended`; `left`: from an earlier session of the same work; `unknown`: running without an answer. */
  state: SessionState | 'ended' | 'left' | 'unknown';
  /** Status of its last run. */
  status?: RunStatus;
  /** Status that a subagent gave its task. */
  completion?: Completion['status'];
  waitingFor?: string;
  waitingReason?: string;
  turns?: number;
  /** Cost in USD, with that of its ended subagents. */
  costUsd: number;
  /** The model has no known price: ignore `costUsd`. */
  costUnknown?: true;
  usage: PurposeUsage;
  /** In the order of their starts. */
  children: SessionTree[];
};

export type TreeSources = ReturnType<typeof treeSources>;

export function treeSources(client: Client, caller: SessionCaller, sessionId: string) {
  return {
    /** The sessions below, from the server, without asking them. */
    below: () => caller.callServer(() => listBelow(client, sessionId)),
    snapshot: (id: string) => caller.call(id, (handle) => handle.query(queries.snapshot)),
    describe: (id: string) => caller.call(id, async (handle) => toListing(await handle.describe())),
  };
}

/** Limited, because a query may have a worker replay a long history. */
const askedAtOnce = 8;
/** Limit for running sessions; for further ones, the server's listing must do. */
const mostAsked = 200;

type Node = Omit<SessionTree, 'children'>;

export async function readTree(sessionId: string, sources: TreeSources): Promise<SessionTree> {
  const below = await sources.below().catch((): SessionListing[] => []);
  const nodes = new Map<string, Node>();
  const children = new Map<string, Set<string>>();
  const put = (parent: string, node: Node): void => {
    nodes.set(node.sessionId, { ...nodes.get(node.sessionId), ...node });
    children.set(parent, (children.get(parent) ?? new Set()).add(node.sessionId));
  };
  // oldest first, in the order of a parent's list
  for (const listing of below.toReversed()) put(listing.parentId ?? '', nodeOfListing(listing, sessionId));
  let [asked, depth] = [0, 0];
  for (let level = [{ sessionId, name: '' }]; level.length > 0; depth += 1) {
    const room = level.slice(0, mostAsked - asked);
    asked += room.length;
    const answers = await eachAtOnce(room, askedAtOnce, ({ sessionId: id }) =>
      askOne(id, id === sessionId, sources),
    );
    level = [];
    for (const [index, answer] of answers.entries()) {
      const { sessionId: id = '', name = '' } = room[index] ?? {};
      if (!answer) continue;
      const node = 'children' in answer ? nodeOf(answer, depth) : nodeOfListing(answer, sessionId);
      nodes.set(id, { ...node, name: name || node.name, depth });
      if (!('children' in answer)) continue;
      // in the order of their parent, which keeps the newest; the server lists the others
      const inOrder = answer.children.map((child) => child.id);
      const others = [...(children.get(id) ?? [])].filter((one) => !inOrder.includes(one));
      children.set(id, new Set([...others, ...inOrder]));
      for (const child of answer.children) {
        put(id, { ...nodes.get(child.id), ...nodeOfChild(child, depth + 1) });
        if (child.state === 'running') level.push({ sessionId: child.id, name: child.name });
      }
    }
  }
  const build = (id: string): SessionTree[] => {
    const node = nodes.get(id);
    return node ? [{ ...node, children: [...(children.get(id) ?? [])].flatMap(build) }] : [];
  };
  const [tree] = build(sessionId);
  if (!tree) throw new Error(`No node for ${sessionId}`);
  return tree;
}

/** Falls back on the server's listing if the session does not answer. */
async function askOne(
  id: string,
  isTop: boolean,
  sources: TreeSources,
): Promise<Snapshot | SessionListing | undefined> {
  const listing = isTop ? await sources.describe(id) : undefined;
  if (listing && cutOff[listing.status]) return listing;
  try {
    return await sources.snapshot(id);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return listing ?? sources.describe(id).catch(() => undefined);
  }
}

function nodeOf(snapshot: Snapshot, depth: number): Node {
  const { sessionId, name, configName: agent, prefix, task, state, turn, costUsd, usage } = snapshot;
  const { lastStatus, completion, waitingFor, waitingReason } = snapshot;
  // oxfmt-ignore
  return {
    sessionId, name, agent, prefix, depth, task, state, turns: turn, costUsd, usage,
    ...defined({ costUnknown: snapshot.costUnknown, status: lastStatus, completion: completion?.status }),
    ...defined({ waitingFor, waitingReason }),
  };
}

/** If it is running, its own snapshot has more. */
function nodeOfChild(child: ChildSnapshot, depth: number): Node {
  const { id: sessionId, name, agent, prefix, task, state, costUsd, usage } = child;
  const { status, completion, waiting, costUnknown } = child;
  return {
    sessionId,
    name,
    agent,
    prefix,
    depth,
    task,
    costUsd,
    usage,
    state: state === 'running' ? 'unknown' : state,
    ...defined({ costUnknown, status, completion, waitingFor: waiting }),
  };
}

function nodeOfListing(listing: SessionListing, top: string): Node {
  const { sessionId, parentId, status, agent = '', task, outcome } = listing;
  const { waitingFor, turns, costUsd = 0, costUnknown } = listing;
  const name = parentId === undefined ? agent : sessionId.slice(sessionId.lastIndexOf('/') + 1);
  return {
    sessionId,
    name,
    agent,
    prefix: '',
    depth: sessionId.slice(top.length).split('/').length - 1,
    task,
    state: status === 'RUNNING' ? 'unknown' : 'ended',
    costUsd,
    usage: {},
    ...defined({
      costUnknown: costUnknown || undefined,
      status: outcome,
      turns,
      waitingFor: status === 'RUNNING' ? waitingFor : undefined,
    }),
  };
}
