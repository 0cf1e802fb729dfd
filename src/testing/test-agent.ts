// One run of a user's agent in a test: the real loop, tools and policy, with a script in place of every model.
import { omit } from '@holdfast/base/omit';
import { defined } from '@holdfast/base/defined';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseConfig, loadConfigFile } from '../config/config-file.ts';
import { filesOf } from '../activities/notes/note-files.ts';
import type { NotesConfig } from '../config/schema/memory.schema.ts';
import { memoryFiles, memoryFolder } from '../config/memory.ts';
import { type Config, resolveConfig } from '../config/config.ts';
import type { HoldfastConfig } from '../config/define-config.ts';
import { ScriptedModel } from './scripted-model.ts';
import { runTestInMemory } from './run-in-memory.ts';
import type { AgentTest, TestedRun } from './agent-test.ts';
import { runTestOnServer } from './run-on-server.ts';

/**
 * Rejects on a request that the script does not expect, on unused steps, and on an approval or question without an
 * answer.
 */
export async function testAgent(test: AgentTest): Promise<TestedRun> {
  refuseUnknown(test);
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
  const model = new ScriptedModel(test.script);
  try {
    const config = await toConfig(test.config ?? {}, dir, test.server);
    const tested = await (test.server === undefined
      ? runTestInMemory(test, config, model)
      : runTestOnServer(test, config, model));
    model.assertFinished();
    return tested;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const fields: Record<keyof AgentTest, true> = {
  config: true,
  script: true,
  input: true,
  prompt: true,
  approve: true,
  answer: true,
  server: true,
  timeoutMs: true,
  logFile: true,
};

/** Refuses unknown options: without a type check, a misspelt one would test another agent. */
function refuseUnknown(test: AgentTest): void {
  const unknown = Object.keys(test).find((field) => !(field in fields));
  if (unknown === undefined) return;
  const hint = unknown === 'agent' ? ' An agent is named in the start input: input: { agent }.' : '';
  throw new Error(`testAgent does not know "${unknown}": expected ${Object.keys(fields).join(', ')}.${hint}`);
}

/** A test reads the user's notes, and writes into a copy. */
async function copyNotes(
  config: Pick<Config, 'memory' | 'dir' | 'configFile'>,
  dir: string,
): Promise<NonNullable<Config['memory']>> {
  const { store: _, embed, ...memory } = config.memory ?? {};
  const folder = join(dir, 'notes');
  const from = memoryFolder(config);
  for (const name of await filesOf(from, memoryFiles(config))) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await copyFile(join(from, name), join(folder, name)).catch(() => undefined);
  }
  // a test has no keys, and asks no server
  return defined({ ...memory, embed: typeof embed === 'function' ? embed : undefined, dir: folder });
}

/** The notes of agents: a copy of a folder; else those of the session, which begin empty. */
async function copyAgentNotes({ folder }: NotesConfig, dir: string): Promise<NotesConfig> {
  if (folder === undefined) return {};
  const copy = join(dir, 'agent-notes');
  if (existsSync(folder)) await cp(folder, copy, { recursive: true });
  return { folder: copy };
}

/**
 * The user's config in its own folder and task queue, without this machine's settings, keys, encryption and artifact
 * store.
 */
async function toConfig(
  given: HoldfastConfig | string,
  dir: string,
  address: string | undefined,
): Promise<Config> {
  const cwd = process.cwd();
  const file =
    typeof given === 'string'
      ? await loadConfigFile(cwd, given)
      : { path: resolve('holdfast.config'), config: parseConfig(given, 'The config of the test') };
  const resolved = resolveConfig({ cwd, environment: {}, file });
  const config = omit(resolved, 'getApiKey', 'artifacts', 'encryption');
  return {
    ...config,
    ...defined({
      memory: config.memory && (await copyNotes(config, dir)),
      notes: config.notes && (await copyAgentNotes(config.notes, dir)),
    }),
    dir,
    artifactsDir: join(dir, 'artifacts'),
    taskQueue: `test-${randomUUID()}`,
    modelQueues: {},
    temporal: defined({ namespace: 'default', address }),
  };
}
