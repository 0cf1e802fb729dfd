// The package.json of a project: a new one, or the fields that an existing one lacks. Existing fields stay unchanged.
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { messageOf } from '../../core/base/message-of.ts';
import { isClone, originOf, ownArchive, packageFolder, rangeOf } from '../../config/own-version.ts';
import { UserError } from '../user-error.ts';
import type { PlannedFile } from './planned-file.ts';

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

export type PackagePlan = {
  file: PlannedFile;
  /** True if a `.ts` file of the folder is a module; otherwise it must be `.mts`. */
  isModule: boolean;
  /** True if `npm test` runs the test of the starter. */
  runsTests: boolean;
};

const testCommand = 'node --test';

/** Throws a UserError for an existing file that does not parse. */
export async function planPackage(folder: string): Promise<PackagePlan> {
  const path = join(folder, 'package.json');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    const made = complete({ name: packageName(folder), private: true, type: 'module' });
    const file = { path: 'package.json', text: toText(made.package), note: made.added.join(', ') };
    return { file, isModule: true, runsTests: true };
  }
  const given = parse(path, text);
  const typed = given.type === undefined && isBare(given) ? { ...given, type: 'module' } : given;
  const made = complete(typed);
  const added = [...(typed === given ? [] : ['type']), ...made.added];
  const file: PlannedFile =
    added.length === 0
      ? { path: 'package.json', note: 'has all that it needs' }
      : {
          path: 'package.json',
          text: toText(made.package, text),
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
    package: {
      ...given,
      ...(lacksTest && { scripts: { ...scripts, test: testCommand } }),
      ...(missing.length > 0 && { dependencies: { ...dependencies, ...Object.fromEntries(missing) } }),
    },
    added: [...(lacksTest ? ['script test'] : []), ...missing.map(([name]) => name)],
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
function toText(value: Package, before = ''): string {
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? '  ';
  return `${JSON.stringify(value, undefined, indent)}\n`;
}
