// A session that delegates, in memory with real activities: every session of the tree has the loop, the tools and the policy
// that ship. The model is a function of the request, which says whose it is.
import { mergeOptions } from '@holdfast/vocabulary/merge-options';
import { createActivities } from '../../src/activities/index.ts';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { AgentEvent } from '@holdfast/vocabulary/events';
import type { SessionResult } from '@holdfast/vocabulary/run-result';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import type { Session } from '../../src/core/session/session.ts';
import { LocalEffects } from '../../src/in-process/local-effects.ts';
import { createMemoryArtifactStore } from '../../src/in-process/memory-artifact-store.ts';
import { MemoryHost, runInMemory } from '../../src/in-process/memory-host.ts';
import type { FunctionModel, Saying, Turn } from './function-model.ts';
import { functionModel } from './function-model.ts';
import type { SessionWorkerOptions } from './session-worker.ts';
import { toDeps } from './session-worker.ts';
import { temporaryFolder } from './tool-calls.ts';

export type TeamOptions = Partial<Omit<SessionWorkerOptions, 'model' | 'agents'>> & {
  /** By agent; `tester` is at the top. */
  says: Record<string, (turn: Turn) => Saying | Promise<Saying>>;
  /** Of the agents beside `tester`. */
  agents?: Record<string, Partial<AgentSpec>>;
  input?: SessionInput;
  /** After every change of a session of the tree. */
  changed?: (session: Session, team: Team) => void;
  count?: Parameters<typeof functionModel>[1];
  id?: string;
};

export type Team = {
  model: FunctionModel;
  /** By id, with those that have ended. */
  sessions: Map<string, Session>;
  top: Session;
  events(id?: string): AgentEvent[];
  /** Of the worker: a test may change them while it runs. */
  agents: Map<string, AgentSpec>;
  result: Promise<SessionResult>;
};

/** Every agent that says something is there, and the top one may delegate to each. */
export async function startTeam(options: TeamOptions): Promise<Team> {
  const { says, agents: others = {}, input, changed, count, id = 'top', agent, ...rest } = options;
  const model = functionModel(async (turn) => {
    const say = says[turn.request.metadata.agent ?? ''];
    if (!say) throw new Error(`nothing was expected of ${turn.request.metadata.agent}`);
    return say(turn);
  }, count);
  const names = Object.keys({ ...says, ...others }).filter((name) => name !== 'tester');
  const deps = await toDeps(
    {
      model,
      artifacts: createMemoryArtifactStore(),
      ...rest,
      agents: Object.fromEntries(
        names.map((name) => [name, mergeOptions({ loop: { maxTurns: 0 } }, others[name] ?? {})]),
      ),
      agent: mergeOptions({ delegation: { agents: ['*'] } }, agent ?? {}),
    },
    await temporaryFolder(),
  );
  const agents = new Map(deps.agents);
  const activities = createActivities({ ...deps, agents });
  const sessions = new Map<string, Session>();
  const seen = new Map<string, AgentEvent[]>();
  const team: Team = {
    model,
    sessions,
    agents,
    events: (of = id) => seen.get(of) ?? [],
    get top() {
      const top = sessions.get(id);
      if (!top) throw new Error('the session has not begun');
      return top;
    },
    result: Promise.reject<SessionResult>(new Error('not begun')),
  };
  team.result.catch(() => undefined);
  const note = (session: Session): void => {
    const events = seen.get(session.id) ?? [];
    seen.set(session.id, [...events, ...session.events.page(events.at(-1)?.seq ?? 0).events]);
    sessions.set(session.id, session);
    changed?.(session, team);
  };
  team.result = runInMemory({ agent: 'tester', prompt: 'Go.', ...input }, (given) => {
    const host = new MemoryHost(given, { id, changed: note });
    return { session: host.session, effects: new LocalEffects(host, activities) };
  });
  return team;
}

/** Starts one, and waits for its end. */
export async function runTeam(options: TeamOptions): Promise<Team & { ended: SessionResult }> {
  const team = await startTeam(options);
  return Object.assign(team, { ended: await team.result });
}

/** A call of `delegate` with these tasks. */
export function delegating(
  ...tasks: { agent: string; task?: string; context?: string; task_id?: string }[]
): Saying {
  const given = tasks.map((task) => ({ task: 'The pool.', context: '', ...task }));
  return { calls: [{ tool: 'delegate', args: { tasks: given } }] };
}

/** What the model of a session read of its last calls. */
export function lastResults(team: Team, id = 'top'): { text: string; isError: boolean }[] {
  const records = team.sessions.get(id)?.state.log.records ?? [];
  return records.flatMap((record) =>
    record.role === 'tool_result'
      ? [
          {
            text: record.content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
            isError: record.isError,
          },
        ]
      : [],
  );
}
