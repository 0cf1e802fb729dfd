// A worker's activities from the fields of a config, without a server: what it is made of, how a run begins on it, and a
// call of one of its tools.
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createDeltaBus } from '../../src/activities/base/delta-bus.ts';
import { createFileArtifactStore } from '../../src/activities/storage/file-artifact-store.ts';
import { type Config, resolveConfig } from '../../src/config/config.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import type { Environment } from '../../src/config/environment.ts';
import type { Json } from '@holdfast/base/json';
import type { AssembleContextInput } from '@holdfast/vocabulary/activity-contracts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import type { FrozenContext } from '@holdfast/vocabulary/frozen-context';
import type { Composed, ComposeInput } from '../../src/worker/compose-activities.ts';
import { clientThatAnswers } from './own-workflow.ts';
import { toolCallInput } from './tool-calls.ts';

type Activities = Composed['activities'];

/** Of a folder with this config file, which is not checked. */
export function resolvedAt(cwd: string, config: HoldfastConfig, environment: Environment = {}): Config {
  return resolveConfig({ cwd, environment, file: { path: join(cwd, 'holdfast.config.ts'), config } });
}

/** Its artifacts are in `folder`. */
export async function composeInput(config: Config, folder: string): Promise<ComposeInput> {
  const artifacts = await createFileArtifactStore(folder);
  return { config, artifacts, deltaBus: createDeltaBus(), searchAttributes: [], identity: 'test' };
}

/** What a run is frozen to that begins here; by default the first one of session `s`. */
export function assembleOn(
  { assembleContext }: Pick<Activities, 'assembleContext'>,
  run: Partial<AssembleContextInput>,
): Promise<FrozenContext> {
  const assemble = async () => {
    const context = await assembleContext({ sessionId: 's', runId: 'run-1', input: {}, ...run });
    if ('askHosts' in context) throw new Error('no host is configured');
    return context;
  };
  return new MockActivityEnvironment().run<[], FrozenContext, typeof assemble>(assemble);
}

/** A call of a run that is frozen to `frozen`. */
export function callOn(
  activities: Pick<Activities, `tool.${string}`>,
  tool: string,
  args: Json,
  frozen: FrozenContext,
): Promise<ToolCallResult> {
  const body = activities[`tool.${tool}`];
  if (body === undefined) throw new Error(`there is no ${tool}`);
  const client = clientThatAnswers(frozen);
  const environment = new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 }, { client });
  const run = () => body(toolCallInput(args, { contextDigest: frozen.digest }));
  return environment.run<[], ToolCallResult, typeof run>(run);
}
