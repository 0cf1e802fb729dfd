// The file of a toolset, read and checked: its form, the names in its templates, its checks and its expressions. Runs in
// Node.
import { messageOf } from '@holdfast/base/message-of';
import { describeIssues } from '@holdfast/base/schema-issues';
import { readYaml } from '../base/read-yaml.ts';
import { isAddress } from '@holdfast/sources/address';
import { parametersOf } from '@holdfast/sources/compare';
import { baseOf, inputOf } from '@holdfast/sources/parameters';
import { readerOf, readersBeside } from './readers.ts';
import type { ReaderModule } from '@holdfast/sources/source-answer';
import { namesIn } from '@holdfast/sources/template';
import { toolsetSchema, type Toolset, type ToolsetWord } from '@holdfast/sources/toolset.schema';

/** A mistake in a toolset file or in its settings: the worker does not start. */
export class ToolsetError extends Error {
  override readonly name = 'ToolsetError';
}

/** A file with the module beside it. */
export type ToolsetFile = { toolset: Toolset; readers: ReaderModule };

/** Throws a ToolsetError that names the file and the field. */
export async function readToolset(file: string): Promise<ToolsetFile> {
  const kind = { what: 'toolset', schema: toolsetSchema };
  const toolset = await readYaml(file, kind, (words) => new ToolsetError(`The toolset ${file} ${words}`));
  try {
    assertNames(toolset);
    assertChecks(toolset);
    const readers = await readersBeside(file);
    for (const tool of toolset.tools) readerOf(tool, readers);
    return { toolset, readers };
  } catch (error) {
    throw new ToolsetError(`The toolset ${file} is not valid: ${messageOf(error)}.`, { cause: error });
  }
}

/** Every name in a template is a parameter of its tool or a setting, and a word with an optional value has a `when`. */
function assertNames(toolset: Toolset): void {
  const settings = Object.keys(toolset.settings ?? {}).map((name) => `settings.${name}`);
  check('environment', Object.values(toolset.environment ?? {}), settings);
  check('headers', Object.values(toolset.headers ?? {}), settings);
  const optionalSettings = Object.entries(toolset.settings ?? {}).flatMap(([name, { optional }]) =>
    optional === true ? [`settings.${name}`] : [],
  );
  const { target } = toolset;
  checkWords('target', target?.command ?? [], settings, optionalSettings);
  if (target?.fills !== undefined && !optionalSettings.includes(`settings.${target.fills}`))
    fail('target, fills,', `settings.${target.fills}`, optionalSettings);
  for (const tool of toolset.tools) {
    const { parameters = {}, command = [], http, code, lines, limit, reaches, change } = tool;
    const known = [...Object.keys(parameters), ...settings];
    const place = `the tool ${tool.name}`;
    if ('instance' in parameters)
      throw new Error(`${place} has a parameter instance: expected another name, this one chooses a server`);
    for (const [name, parameter] of Object.entries(parameters)) {
      const { error } = baseOf(parameter).optional().safeParse(parameter.default);
      if (error) throw new Error(`${place}, ${name}: ${describeIssues(error, 'default').join('; ')}`);
    }
    const mayLack = [
      ...optionalSettings,
      ...Object.entries(parameters).flatMap(([name, { optional, unless, default: value }]) =>
        unless !== undefined || (optional === true && value === undefined) ? [name] : [],
      ),
    ];
    for (const [field, count] of Object.entries({ lines, limit }))
      if (typeof count === 'string' && parameters[count]?.type !== 'integer')
        fail(`${place}, ${field},`, count, known);
    if (reaches !== undefined) check(place, [reaches].flat(), known);
    if (change) check(`${place}, change,`, [change.undo, change.done ?? ''], [...known, 'before']);
    checkWords(place, [...command, ...(change?.shows ?? []), ...(change?.tests ?? [])], known, mayLack);
    if (code) check(`${place}, code,`, [JSON.stringify(code.with ?? null)], known);
    if (tool.link) check(`${place}, link,`, [JSON.stringify(tool.link)], known);
    if (http) {
      const body = JSON.stringify(http.body ?? null);
      check(place, [http.url, body, ...Object.values({ ...http.query, ...http.form })], known);
      check(place, Object.values(http.headers ?? {}), settings);
      if (!isAddress(http.url))
        throw new Error(
          `${place} has the url ${JSON.stringify(http.url)}: expected {{settings.NAME}} or http(s)://HOST first, then a path`,
        );
    }
  }
}

function fail(place: string, name: string, known: readonly string[]): never {
  throw new Error(
    `${place} names {{${name}}}: expected one of ${known.join(', ') || 'none, there are none'}`,
  );
}

function check(place: string, texts: readonly string[], known: readonly string[]): void {
  for (const name of texts.flatMap(namesIn)) if (!known.includes(name)) fail(place, name, known);
}

function checkWords(
  place: string,
  words: readonly ToolsetWord[],
  known: readonly string[],
  mayLack: readonly string[],
): void {
  for (const word of words) {
    const { words: texts, when } = typeof word === 'string' ? { words: [word], when: undefined } : word;
    check(place, texts, known);
    if (when !== undefined && !known.includes(when)) fail(place, when, known);
    const lacking = texts.flatMap(namesIn).find((name) => mayLack.includes(name) && name !== when);
    const advice = `in a word that is always there: expected {when: ${lacking}, words: [...]}`;
    if (lacking !== undefined) throw new Error(`${place} uses the optional {{${lacking}}} ${advice}`);
  }
}

/** A check that asks nothing would look like a source that works. */
function assertChecks({ tools, checks = [] }: Toolset): void {
  for (const { tool: name, with: args = {} } of checks) {
    const tool = tools.find((each) => each.name === name);
    const names = tools.map((each) => each.name).join(', ');
    const parsed = tool && inputOf(parametersOf(tool)).safeParse(args);
    const fault =
      parsed === undefined
        ? `expected one of ${names}`
        : parsed.error && describeIssues(parsed.error, 'with').join('; ');
    if (fault !== undefined) throw new Error(`checks, ${name}: ${fault}`);
  }
}
