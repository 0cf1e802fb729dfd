// Checks the prerequisites of a toolset when a worker starts. Runs in Node.
import { succeeds } from '@holdfast/base/succeeds';
import { messageOf } from '@holdfast/base/message-of';
import { hasCode } from '@holdfast/base/has-code';
import { access, constants } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { delimiter, resolve } from 'node:path';
import { toOneLine } from '@holdfast/redaction/sanitise';
import { certificateFault, strangerIn } from './no-source.ts';
import { runWords } from './command-tool.ts';
import { fill, fillWords, joined } from '@holdfast/sources/template';
import type { Prerequisite, ToolsetTool } from '@holdfast/sources/toolset.schema';
import type { ToolsetPlace } from './toolset-place.ts';

/** Limit of each check: a database that is down must not delay a worker. */
const checkMs = 5_000;

/** `isNow`: its server does not answer, which may change while the worker runs. */
type Problem = { reason: string; isNow?: boolean };

/** Tools that cannot work here, or not now, and the reason; empty if all can. */
export type AbsentTools = Problem & { tools: string[] };

/**
 * A missing program switches off the tools whose commands begin with it, declared or not. Any other missing prerequisite,
 * and a program that begins no command, switches off all of them. A server that does not answer keeps them for later.
 */
export async function findAbsent(
  prerequisites: readonly Prerequisite[],
  tools: readonly ToolsetTool[],
  place: ToolsetPlace,
): Promise<AbsentTools[]> {
  const declared = prerequisites.flatMap((each) => ('program' in each ? [each.program] : []));
  const programs = new Map(tools.map((tool) => [tool.name, programsOf(tool, declared)]));
  const every = [...programs.keys()];
  const used = new Set([...programs.values()].flat());
  const others = [...used].filter((program) => !declared.includes(program)).map((program) => ({ program }));
  const missing = new Map<string, string>();
  let now: Problem | undefined;
  for (const each of [...prerequisites, ...others]) {
    const program = 'program' in each ? each.program : 'command' in each ? each.command[0] : undefined;
    if (typeof program === 'string' && missing.has(program)) continue;
    const problem = now && asksServer(each) ? undefined : await problemOf(each, place);
    if (problem === undefined) continue;
    if (problem.isNow) now = problem;
    else if ('program' in each && used.has(each.program)) missing.set(each.program, problem.reason);
    else return [{ tools: every, ...problem }];
  }
  const lost = [...missing].flatMap(([program, reason]) => {
    // a tool that lacks two programs names the first
    const users = every.filter((name) => programs.get(name)?.find((each) => missing.has(each)) === program);
    return users.length === 0 ? [] : [{ tools: users, reason }];
  });
  return now ? [...lost, { tools: every, ...now }] : lost;
}

/** The first word of each of its commands, if it is no template; of a script the declared ones that it names. */
function programsOf({ command, change }: ToolsetTool, declared: readonly string[]): string[] {
  return [command, change?.tests, change?.shows].flatMap((words = []) => {
    const [first, , script] = words;
    if (first === 'sh' && typeof script === 'string')
      return [...declared.filter((program) => script.split(/[\s|&;()]+/).includes(program)), first];
    return typeof first === 'string' && /^[\w.+/-]+$/.test(first) ? [first] : [];
  });
}

function asksServer(prerequisite: Prerequisite): boolean {
  return 'command' in prerequisite || 'http' in prerequisite;
}

async function problemOf(prerequisite: Prerequisite, place: ToolsetPlace): Promise<Problem | undefined> {
  const { advice } = prerequisite;
  const withAdvice = (reason: string): string =>
    toOneLine(advice === undefined ? reason : `${reason}. ${advice}`, 500);
  try {
    const reason = await check(prerequisite, place);
    return reason === undefined ? undefined : { reason: withAdvice(reason), isNow: asksServer(prerequisite) };
  } catch (error) {
    return { reason: withAdvice(messageOf(error)) };
  }
}

/** Throws what no answer of a server, if it came later, would change. */
async function check(prerequisite: Prerequisite, place: ToolsetPlace): Promise<string | undefined> {
  if ('package' in prerequisite) return checkPackage(prerequisite.package);
  if ('program' in prerequisite) return checkProgram(prerequisite.program, place);
  if ('file' in prerequisite) {
    const file = fill(prerequisite.file, place.settings) ?? '';
    return (await succeeds(access(file, constants.R_OK))) ? undefined : `${file} cannot be read`;
  }
  return 'http' in prerequisite ? checkHttp(prerequisite.http, place) : checkCommand(prerequisite, place);
}

/** Not loaded: a worker must not start slower for it. */
function checkPackage(name: string): string | undefined {
  try {
    if (findPackageJSON(name, import.meta.url) !== undefined) return undefined;
  } catch (error) {
    if (!hasCode(error, 'ERR_MODULE_NOT_FOUND')) throw error;
  }
  return `the npm package ${name} is not installed. Run "npm install ${name}" where holdfast is installed`;
}

/** The search path of programs without PATH. */
const usualPath = '/usr/bin:/bin';

async function checkProgram(program: string, place: ToolsetPlace): Promise<string | undefined> {
  const { PATH = usualPath } = await place.environment();
  const isPath = program.includes('/');
  for (const folder of isPath ? [place.folder] : PATH.split(delimiter))
    if (await succeeds(access(resolve(folder, program), constants.X_OK))) return undefined;
  return `the program ${program} is not ${isPath ? 'there, or may not be run' : 'installed'}`;
}

async function checkCommand(
  { command, output }: Extract<Prerequisite, { command: unknown }>,
  place: ToolsetPlace,
): Promise<string | undefined> {
  const words = fillWords(command, place.settings, new Set());
  const program = words[0] ? joined(words[0]) : '';
  const { signal } = new AbortController();
  const limits = { timeoutMs: checkMs, keepBytes: 65_536 };
  const run = await runWords(words, { signal, separate: true, ...limits }, place);
  const said = toOneLine(run.errorText.trim() === '' ? run.text : run.errorText, 200);
  if (run.ended !== 'exited') return `${program} did not answer in ${checkMs} ms`;
  if (run.exitCode !== 0) return `${program} failed with exit code ${run.exitCode}: ${said}`;
  if (output === undefined || run.text.includes(output)) return undefined;
  const reason = `${program} answered ${JSON.stringify(said)}: expected ${JSON.stringify(output)} in it`;
  if (place.signs.notReachable?.test(said)) return reason;
  throw new Error(reason);
}

async function checkHttp(template: string, place: ToolsetPlace): Promise<string | undefined> {
  // a setting may end with a slash
  const url = fill(template, place.settings)?.replace(/(?<!:)\/{2,}/, '/');
  if (url === undefined) throw new Error(`${template} has a setting without a value`);
  // a secret that cannot be read says nothing about the server
  const [headers, tls] = await Promise.all([place.headers(), place.tls()]);
  const { everyAddress: addresses, httpRequest } = await import('../built-in/http/http-request.ts');
  const [signal, deadline] = [new AbortController().signal, AbortSignal.timeout(checkMs)];
  try {
    const options = { addresses, maxBytes: 65_536, signal, deadline, headers, tls };
    const reply = await httpRequest(new URL(url), options);
    const stranger = strangerIn(reply);
    if (stranger !== undefined) return `${url} answered with status ${reply.status}, ${stranger}`;
    return reply.status < 300 ? undefined : `${url} answered with status ${reply.status}`;
  } catch (error) {
    const fault = certificateFault(error);
    return `${url} cannot be reached${fault === undefined ? '' : `: ${fault}`}`;
  }
}
