// The command lines that Holdfast prints, e.g. `npx holdfast watch x`: each can be pasted as printed, and finds the same
// sessions. Only this file knows how the program was started, and with which config and server.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import type { Command } from 'commander';
import { type Environment, readEnvironment } from './environment.ts';
import { nearestWord } from '@holdfast/base/nearest-word';
import { shellWord } from '@holdfast/base/shell-word';

export type Started = {
  /** `node`, or its path if a shell would find another one. */
  node: string;
  /** The file that Node was started with. */
  file: string;
  cwd: string;
  environment: Environment;
};

/** The words before the name of a command. */
export function programOf({ node, file, cwd, environment }: Started): string {
  const { npm_command: npm, npm_config_package: fetched, PATH = '' } = environment;
  const root = dirname(dirname(file));
  const fromHere = (path: string): string => shellWord(isInside(path, cwd) ? relative(cwd, path) : path);
  if (file.endsWith(join('bin', 'holdfast.js'))) {
    const isOwnScript = npm !== undefined && environment.npm_package_json === join(root, 'package.json');
    if (!isOwnScript) return `${shellWord(node)} ${fromHere(file)}`;
    // npm finds the script in this folder and below it
    const prefix = isInside(environment.INIT_CWD ?? cwd, root) ? '' : ` --prefix ${shellWord(root)}`;
    return `npm${prefix} run holdfast --`;
  }
  // a program that uses this one as a library
  if (!/[\\/]holdfast$/.test(file)) return 'holdfast';
  if (npm === 'exec') return fetched ? `npx --package=${shellWord(fetched)} holdfast` : 'npx holdfast';
  const folder = dirname(file);
  if (folder.endsWith(join('node_modules', '.bin')) && isInside(cwd, dirname(dirname(folder))))
    return 'npx holdfast';
  return PATH.split(delimiter).includes(folder) ? 'holdfast' : fromHere(file);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Variables that identify a server, its sessions and their worker. Variables with secrets are never printed. */
// oxfmt-ignore
const placeVariables = [
  'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE', 'TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_TLS', 'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'HOLDFAST_DIR', 'HOLDFAST_CONFIG', 'HOLDFAST_TASK_QUEUE',
];

let place = { before: '', after: '' };
let program: string | undefined;

/** Records the variables that a command in another terminal needs to find the same config and server. */
export function rememberPlace(environment: Environment, config?: string): void {
  // the option overrides the variable
  const names = placeVariables.filter((name) => config === undefined || name !== 'HOLDFAST_CONFIG');
  const set = names.flatMap((name) =>
    environment[name] ? [`${name}=${shellWord(environment[name])} `] : [],
  );
  place = { before: set.join(''), after: config === undefined ? '' : ` --config ${shellWord(config)}` };
}

/** A command in pasteable form: `typed('watch x')`. */
export function typed(command: string): string {
  return `${place.before}${programHere()}${place.after} ${command}`;
}

/** A command for the folder of a project that has this package installed. */
export function typedInProject(command: string): string {
  return `${programHere() === 'holdfast' ? 'holdfast' : 'npx holdfast'} ${command}`;
}

/** The same for the commands in a message, from code that does not know how the program was started. */
export function withTyped(text: string): string {
  // quoted; a command that was typed here already begins otherwise
  return text.replaceAll(/(?<=["`])holdfast (?=[a-z])/g, () => typed(''));
}

/** True if a line contains a command made here. */
export function holdsCommand(line: string): boolean {
  return line.includes(typed(''));
}

/** For help and usage, which apply to every config and server. */
export function withProgram(text: string): string {
  // quoted, as an example after a prompt or a pipe, or after variables
  return text.replaceAll(/(?<=["$|`] ?|[A-Z_]+=\S+ |Usage: )holdfast (?=[a-z[])/g, () => `${programHere()} `);
}

function programHere(): string {
  return (program ??= programOf({
    node: nodeWord(),
    file: process.argv[1] ?? '',
    cwd: process.cwd(),
    environment: readEnvironment(),
  }));
}

/** Another Node on the PATH may be too old, and npm puts its own folders there. */
function nodeWord(): string {
  const { npm_command: npm, PATH = '' } = readEnvironment();
  const folders = npm === undefined ? PATH.split(delimiter) : [];
  const found = folders.map((folder) => join(folder, 'node')).find((path) => existsSync(path));
  return found !== undefined && realpathSync(found) === realpathSync(process.execPath)
    ? 'node'
    : process.execPath;
}

/** For a command that has others below it: more words than it takes are a misspelt one. */
export function refuseWords(command: Command): void {
  const word = command.args[command.registeredArguments.length];
  const known = command.commands.map((each) => each.name());
  if (word !== undefined) refuseWord(command, word, known);
}

/** Ends with an error that names the known word that was meant. */
export function refuseWord(command: Command, word: string, known: readonly string[]): never {
  const meant = nearestWord(word, known);
  const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return command.error(`error: unknown command '${word}'${hint}`, { code: 'commander.unknownCommand' });
}
