// The checks of `holdfast doctor` that need no server: model, agents, tools, folders. What they find is what a worker
// would find at its start, and a session at its own.
import { existsSync } from 'node:fs';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import type { Parts } from '../worker/compose-activities.ts';
import { type Check, good } from './doctor-check.ts';
import { messageOf } from './user-error.ts';

export async function* checkConfig(config: Config): AsyncGenerator<Check> {
  yield* checkParts(config);
  yield await checkTools(config);
  yield await checkFolder('folder', config.dir, 'Run in a writable folder, or set HOLDFAST_DIR to one.');
  const advice = 'Set artifactsDir in the config file to a writable folder.';
  yield await checkFolder('results', config.artifactsDir, advice);
}

/** Puts together what a worker would, and asks of each agent whether it could run. */
async function* checkParts(config: Config): AsyncGenerator<Check> {
  const { collectParts } = await import('../worker/compose-activities.ts');
  let parts: Parts;
  try {
    parts = await collectParts(config);
  } catch (error) {
    yield bad('worker', messageOf(error), 'Correct it and run doctor again.');
    return;
  }
  for (const warning of parts.warnings) yield { name: 'worker', state: 'note', finding: warning };
  const model = checkModel(config, parts);
  yield model;
  if (model.state === 'good' || config.script !== undefined) yield* checkAgents(parts);
}

function checkModel({ model, modelReason, script }: Config, parts: Parts): Check {
  const finding = `${model} (${modelReason})`;
  if (model.startsWith('scripted:')) {
    const advice = script
      ? undefined
      : 'Set OPENAI_API_KEY or ANTHROPIC_API_KEY (and a base URL if you need one) for a real model.';
    return { name: 'model', state: 'note', finding, ...(advice ? { advice } : {}) };
  }
  try {
    parts.checkModel(model);
    return good('model', finding);
  } catch (error) {
    return bad('model', finding, messageOf(error));
  }
}

function* checkAgents({ agents, checkInput }: Parts): Generator<Check> {
  for (const agent of agents.keys()) {
    try {
      checkInput({ prompt: '-', agent });
    } catch (error) {
      yield bad('agent', `${agent}: ${messageOf(error)}`, 'No session of this agent could run.');
    }
  }
}

async function checkTools(config: Config): Promise<Check> {
  const { tools, fileRoots, httpAllow, agents } = config;
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const known = await Promise.all(fileRoots.map(isFolder));
  const gone = fileRoots.filter((_, index) => !known[index]);
  if (gone.length > 0)
    return bad('tools', `no folder ${gone.join(', ')}`, 'Correct files.roots, or make it.');
  const finding =
    `${tools.length} own tools, ${Object.keys(agents).length} own agents, ` +
    `${fileRoots.length} readable folders, ${httpAllow.length} hosts for http_get`;
  if (tools.length + fileRoots.length + httpAllow.length > 0) return good('tools', finding);
  const advice = 'The agent can look at nothing: name files.roots and http.allow in holdfast.config.ts.';
  return { name: 'tools', state: 'note', finding, advice };
}

/** Tried, in the nearest folder that is there: rights alone do not tell, least of all for root. Leaves nothing. */
async function checkFolder(name: string, dir: string, advice: string): Promise<Check> {
  let existing = dir;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    await rmdir(await mkdtemp(join(existing, '.doctor-')));
    return good(name, dir);
  } catch (error) {
    return bad(name, `${dir} cannot be written (${messageOf(error)})`, advice);
  }
}

function bad(name: string, finding: string, advice: string): Check {
  return { name, state: 'bad', finding, advice };
}
