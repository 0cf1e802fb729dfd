// The planned files of a new project: from the folder templates/ of this package, the choices, and the existing files. A
// package.json gets the fields that it lacks; existing fields stay unchanged. Only reads.
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { present } from '@holdfast/base/present';
import { isClone, originOf, ownArchive, packageFolder, rangeOf } from '../../config/own-version.ts';
import { UserError } from '../../common/user-error.ts';
import type { FoundSource } from './find-sources.ts';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { configFileNames, configFileOf } from '../../config/config-file.ts';
import type { Choices } from './ask-choices.ts';
import type { PlannedFile } from './planned-file.ts';

export type StarterPlan = Awaited<ReturnType<typeof planStarter>>;

const ignored = ['node_modules/', '.holdfast/', '.env'];

/** Throws a UserError for a package.json that does not parse. Without `config` the folder has one, and gets no starter. */
export async function planStarter(folder: string, choices: () => Promise<Choices>) {
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
  const text = await readFile(join(packageFolder(), 'catalog/templates/starter', path), 'utf8');
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

/** A literal in the style of TypeScript's formatters. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** The text of a new holdfast.config.ts: the choices, and the alternatives in comments. */
function configText({ logFolders, sources, kubeContext }: Choices, ending: string): string {
  const roots = logFolders.map(quoted).join(', ');
  const isOn = (source: FoundSource): boolean =>
    source === sources.find(({ name, needsToken }) => name === source.name && !needsToken);
  const open = sources.flatMap((source) => (source.address && isOn(source) ? [source.address] : []));
  const isNamed = (name: string): boolean => sources.some((source) => source.name === name);
  const hosts = open.map((address) => quoted(hostOf(address))).join(', ');
  return `// What the agent may look at, and what it must ask about. Every key: node_modules/holdfast/docs/configuration.md
import { defineConfig } from 'holdfast';
import { diskUsage } from './tools/disk-usage.${ending}';

export default defineConfig({
  // Tools of your own, beside the built-in ones. "npx holdfast tools" lists them all.
  tools: [diskUsage],

  // Folders that the agent may read. It writes to none.
  ${logFolders.length === 0 ? `// files: { roots: ['/var/log'] },` : `files: { roots: [${roots}] },`}

  // Ready-made tools that only read. "npx holdfast tools" lists those that are on; docs/sources.md of the package has all.
  // From about four on, the investigator loads the tools of each when it needs them.
  toolsets: {
    host: {},
    ${[...sources, ...examples.filter(({ name }) => !isNamed(name))].map((source) => (isOn(source) ? '' : '// ') + sourceLine(source)).join('\n    ')}
    ${line(kubeContext, (context) => `kubernetes: { settings: { context: ${quoted(context)} } },`, 'staging')}
  },

  // Hosts that tools may reach.
  ${open.length > 0 ? `http: { allow: [${hosts}] },` : `// http: { allow: ['127.0.0.1:9090'] },`}

  // A call that changes something asks a person. Rules can allow it, or deny it; the strictest rule that matches counts.
  policy: [
    // { tool: 'restart_*', decision: 'deny', reason: 'Restarts are done by people.' },
  ],

  // The model is that of the key in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY), or the one that is named here.
  // model: 'anthropic:claude-sonnet-5-5',

  // Plays the model where neither is there, so that everything can be tried. Remove it once you have one.
  script: 'script.yaml',
});
`;
}

const examples: FoundSource[] = [
  { name: 'prometheus', place: '', settings: { url: 'http://127.0.0.1:9090' }, needsToken: false },
];

/** A comment if it needs a token, which a person adds, or if another of its name is on. */
function sourceLine({ name, settings }: FoundSource): string {
  const words = Object.entries(settings).map(([setting, value]) => `${setting}: ${quoted(value)}`);
  return words.length === 0 ? `${name}: {},` : `${name}: { settings: { ${words.join(', ')} } },`;
}

function line(value: string | undefined, write: (value: string) => string, example: string): string {
  return value === undefined ? `// ${write(example)}` : write(value);
}

/** In the form of `http.allow`. */
function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

type Package = {
  name?: string;
  private?: boolean;
  type?: string;
  main?: unknown;
  bin?: unknown;
  exports?: unknown;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

const testCommand = 'node --test';

/**
 * Throws a UserError for an existing file that does not parse. `isModule`: a `.ts` file of the folder is a module; otherwise it
 * must be `.mts`. `runsTests`: `npm test` runs the test of the starter.
 */
async function planPackage(folder: string) {
  const path = join(folder, 'package.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    const made = complete({ name: packageName(folder), private: true, type: 'module' });
    const file = { path: 'package.json', text: toPackageText(made.package), note: made.added.join(', ') };
    return { file, isModule: true, runsTests: true };
  }
  const given = parse(path, text);
  const typed = given.type === undefined && isBare(given) ? { ...given, type: 'module' } : given;
  const made = complete(typed);
  const added = present([typed !== given && 'type', ...made.added]);
  const file: PlannedFile =
    added.length === 0
      ? { path: 'package.json', note: 'has all that it needs' }
      : {
          path: 'package.json',
          text: toPackageText(made.package, text),
          note: `+ ${added.join(', ')}`,
          extends: true,
        };
  return { file, isModule: typed.type === 'module', runsTests: made.package.scripts?.test === testCommand };
}

function parse(path: string, text: string): Package {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(
      `${path} does not parse: ${messageOf(error)}. Correct it, and run init again.`,
      undefined,
      { cause: error },
    );
  }
}

/** True for one that only names libraries, as after a first npm install: no file of it is read as CommonJS. */
function isBare({ main, bin, exports, scripts }: Package): boolean {
  return [main, bin, exports, scripts].every((part) => part === undefined);
}

function complete(given: Package): { package: Package; added: string[] } {
  const { scripts = {}, dependencies = {}, devDependencies = {} } = given;
  const holdfast = isClone() ? `file:${ownArchive()}` : originOf(packageFolder());
  const wanted = { holdfast, zod: rangeOf('zod') };
  const missing = Object.entries(wanted).filter(
    ([name]) => dependencies[name] === undefined && devDependencies[name] === undefined,
  );
  const lacksTest = scripts.test === undefined;
  return {
    package: defined({
      ...given,
      scripts: lacksTest ? { ...scripts, test: testCommand } : scripts,
      dependencies:
        missing.length > 0 ? { ...dependencies, ...Object.fromEntries(missing) } : given.dependencies,
    }),
    added: present([lacksTest && 'script test', ...missing.map(([name]) => name)]),
  };
}

/** npm's rules: lower case, letters, digits, `.`, `_` and `-`, not first a dot. */
function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  return name === '' ? 'investigations' : name;
}

/** Keeps the indent. */
function toPackageText(value: Package, before = ''): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  return `${JSON.stringify(value, undefined, indent)}\n`;
}
