// A session in this process whose worker has the skills of a folder, and a model that is a function.
import type { Json } from '@holdfast/base/json';
import type { AgentSpec } from '@holdfast/vocabulary/agent-spec';
import type { ModelRequest } from '@holdfast/vocabulary/model-call';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { functionModel, type Saying, type Turn } from './function-model.ts';
import { localSession, type LocalSession } from './local-session.ts';
import type { SessionWorkerOptions } from './session-worker.ts';
import { skillsIn } from './skill-folders.ts';
import { resultTexts } from './result-texts.ts';

export type Decide = (turn: Turn) => Saying | Promise<Saying>;

export type SkillBench = {
  agent?: Partial<AgentSpec>;
  input?: SessionInput;
  /** With `skills` in it, these are the worker's. */
  worker?: Partial<SessionWorkerOptions>;
};

export async function skillSession(
  decide: Decide,
  folder: string,
  { agent = {}, input, worker = {} }: SkillBench = {},
): Promise<{ session: LocalSession; requests: ModelRequest[] }> {
  const model = functionModel(decide);
  const skills = 'skills' in worker ? {} : { skills: skillsIn(folder) };
  const session = await localSession({ model, agent, ...skills, ...worker }, input);
  return { session, requests: model.requests };
}

export const call = (tool: string, args: Json): Saying => ({ calls: [{ tool, args }] });

/** One saying for each reply; then the end. */
export const inTurn =
  (...sayings: Saying[]): Decide =>
  ({ number }) =>
    sayings[number - 1] ?? { text: 'done' };

/** The texts of the results that a request shows. */
export function resultsIn(request: Pick<ModelRequest, 'messages'> | undefined): string[] {
  return resultTexts(request?.messages ?? []);
}

export function toolsOf(request: ModelRequest | undefined): string[] | undefined {
  return request?.tools.map(({ name }) => name);
}
