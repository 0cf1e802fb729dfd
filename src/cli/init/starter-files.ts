// The planned files of a new project: from the folder templates/ of this package, the choices, and the existing files.
// Only reads.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { configFileNames, configFileOf } from '../../config/config-file.ts';
import { packageFolder } from '../../config/own-version.ts';
import type { Choices } from './ask-choices.ts';
import { configText } from './config-text.ts';
import { type PackagePlan, planPackage } from './package-json.ts';
import type { PlannedFile } from './planned-file.ts';

export type StarterPlan = {
  files: PlannedFile[];
  /** Absent if the folder has a config; it gets no starter then. */
  config?: string;
  package: PackagePlan;
};

const ignored = ['node_modules/', '.holdfast/', '.env'];

/** Throws a UserError for a package.json that does not parse. */
export async function planStarter(folder: string, choices: () => Promise<Choices>): Promise<StarterPlan> {
  const plan = await planPackage(folder);
  const existing = configFileOf(folder, undefined);
  const rest = [plan.file, await planIgnored(folder)];
  if (existing !== undefined) {
    const kept = { path: basename(existing), note: 'already here, so no starter is added' };
    return { files: [kept, ...rest], package: plan };
  }
  const ending = plan.isModule ? 'ts' : 'mts';
  const config = `holdfast.config.${ending}`;
  const files = [
    { path: config, text: configText(await choices(), ending), note: 'what the agent may look at' },
    await fromTemplate('tools/disk-usage.ts', ending, 'a tool of your own'),
    await fromTemplate('agents/on-call.md', ending, 'an agent of your own'),
    await fromTemplate('test/on-call.test.ts', ending, 'a test of both, without a model'),
    await fromTemplate('test/node.test.mjs', ending, 'fails on a Node that is too old'),
    await fromTemplate('script.yaml', ending, 'plays the model where no key is set'),
    ...rest,
  ];
  return { files, config, package: plan };
}

async function fromTemplate(path: string, ending: string, note: string): Promise<PlannedFile> {
  const text = await readFile(join(packageFolder(), 'templates/starter', path), 'utf8');
  const named = configFileNames.reduce(
    (written, name) => written.replaceAll(`'${name}'`, `'holdfast.config.${ending}'`),
    text,
  );
  return { path: path.replace(/\.ts$/, `.${ending}`), text: named, note };
}

async function planIgnored(folder: string): Promise<PlannedFile> {
  const path = '.gitignore';
  const present = await readFile(join(folder, path), 'utf8').catch(() => undefined);
  const lines = new Set(present?.split('\n').map((line) => line.trim().replace(/^\/|\/$/g, '')));
  const missing = ignored.filter((line) => !lines.has(line.replace(/\/$/, '')));
  if (missing.length === 0) return { path, note: 'has all lines' };
  const gap = present === undefined || present === '' || present.endsWith('\n') ? '' : '\n';
  return {
    path,
    text: `${present ?? ''}${gap}${missing.join('\n')}\n`,
    note: `+ ${missing.join(', ')}`,
    extends: present !== undefined,
  };
}
