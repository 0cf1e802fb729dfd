// Finds the things on this machine that an agent could read: folders of logs, servers, a Kubernetes context, the key
// of a model. Only reads, for at most two seconds.
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ChosenModel, chooseModel } from '../../config/choose-model.ts';
import type { Environment } from '../../config/environment.ts';
import { readVariables } from '../../config/variables.ts';
import { findSources } from './find-sources.ts';

const programTimeoutMs = 2_000;
/** Same as `engines` in package.json. */
export const neededNode = 24;

export type Findings = Awaited<ReturnType<typeof lookAround>>;

/**
 * `logFolders`: those of the project, relative to it, else those of the machine. `oldNode`: the version of the Node in the user's
 * shell, if it is too old for the project. `model` is absent if no key is set.
 */
export async function lookAround(folder: string, environment: Environment) {
  const [logFolders, sources, kubeContext, oldNode] = await Promise.all([
    findLogFolders(folder),
    findSources(environment),
    printedBy('kubectl', ['config', 'current-context'], environment),
    findOldNode(environment),
  ]);
  const model = findModel(folder, environment);
  return { logFolders, sources, kubeContext: kubeContext || undefined, model, oldNode };
}

/** In a project with its own logs, only those are offered. */
async function findLogFolders(folder: string): Promise<string[]> {
  const own = ['logs', 'log', 'var/log'];
  const found = await Promise.all(own.map((name) => hasEntries(join(folder, name))));
  const ofProject = own.filter((_, index) => found[index]);
  if (ofProject.length > 0) return ofProject;
  return (await hasEntries('/var/log')) ? ['/var/log'] : [];
}

/** False also for an unreadable folder. */
async function hasEntries(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  return entries.length > 0;
}

/** A clone has its own Node, which npm finds there first, so the Node that runs npm itself is checked. */
async function findOldNode({ npm_node_execpath: node }: Environment): Promise<string | undefined> {
  if (node === undefined) return undefined;
  const version = (await printedBy(node, ['--version'])).replace(/^v/, '');
  return Number.parseInt(version, 10) < neededNode ? version : undefined;
}

/** Empty for a program that is missing, fails or takes too long. */
async function printedBy(program: string, args: string[], environment?: Environment): Promise<string> {
  const options = { env: environment, timeout: programTimeoutMs };
  const { stdout } = await promisify(execFile)(program, args, options).catch(() => ({ stdout: '' }));
  return stdout.trim();
}

function findModel(folder: string, environment: Environment): ChosenModel | undefined {
  const chosen = chooseModel(readVariables(environment), {}, { cwd: folder });
  return chosen.model.startsWith('scripted:') ? undefined : chosen;
}
