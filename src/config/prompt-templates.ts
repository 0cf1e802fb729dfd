// Templates of prompts: Markdown files in the folder `prompts` beside the config file, with placeholders for what a user types.
// That is data: it is marked, and cannot end its own marks. Runs where a process starts.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { markUntrusted } from '../core/agent/prompt/untrusted.ts';
import { splitFrontMatter } from '@holdfast/base/front-matter';
import { ConfigError } from './config-file.ts';

export function templatesFolder(configFile: string): string {
  return join(dirname(configFile), 'prompts');
}

/** Without a config file the folder is in `cwd`. Throws a ConfigError that lists the templates. */
export async function readTemplate(
  { configFile, cwd }: { configFile: string | undefined; cwd: string },
  name: string,
  inputs: readonly string[],
): Promise<string> {
  const folder = templatesFolder(configFile ?? join(cwd, 'holdfast.config'));
  const files = await readdir(folder).catch((): string[] => []);
  const names = files.filter((file) => file.endsWith('.md')).map((file) => basename(file, '.md'));
  if (!names.includes(name)) {
    const known =
      names.length === 0
        ? `a file ${join(folder, `${name}.md`)}`
        : `one of ${names.toSorted((a, b) => (a < b ? -1 : 1)).join(', ')}`;
    throw new ConfigError(`There is no template "${name}" in ${folder}: expected ${known}.`);
  }
  const path = join(folder, `${name}.md`);
  const text = await readFile(path, 'utf8');
  // front matter is for people
  const body = (splitFrontMatter(text)?.body ?? text).trim();
  if (body === '')
    throw new ConfigError(`${path} is empty: expected the words of a prompt, with $1 to $N or $ARGUMENTS.`);
  return expandTemplate(body, inputs);
}

const tag = 'untrusted_input';

/**
 * Replaces `$1` to `$N` by the inputs and `$ARGUMENTS` by all of them, each in its own block; a missing input gives an
 * empty block. One pass: a `$2` inside an input stays unchanged.
 */
export function expandTemplate(template: string, inputs: readonly string[]): string {
  return template.replaceAll(/\$(?:([1-9]\d*)(?!\d)|ARGUMENTS\b)/g, (_, place?: string) =>
    markUntrusted(tag, place === undefined ? inputs.join(' ') : (inputs[Number(place) - 1] ?? '')),
  );
}
