// The checks of `holdfast doctor` that need no server: model, agents, tools, folders. They report the problems that a
// worker would have at its start, and a session at its own.
import { modelOptions } from '@holdfast/vocabulary/merge-options';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeArtifacts, openArtifactReader } from '../../config/artifacts.ts';
import type { Config } from '../../config/config.ts';
import { assertWritable } from '../../config/make-folder.ts';
import { problemsOfSecrets, readKeys } from '../../config/secrets.ts';
import type { Parts } from '../../worker/parts.ts';
import { describeAbsence } from '../../worker/tool-sources/tool-source.ts';
import { defaultAgent } from '@holdfast/vocabulary/session-input';
import { counted } from '@holdfast/base/words';
import { typed, withTyped } from '../../config/command-line.ts';

export type Check = {
  name: string;
  /** `note`: works, but worth knowing. `bad`: something will not work. */
  state: 'good' | 'note' | 'bad';
  finding: string;
  advice?: string;
  /** Bad, but `holdfast run` would start all the same. */
  runsWithout?: true;
};

function checkOf(state: Check['state']) {
  return (name: string, finding: string, advice?: string): Check => ({
    name,
    state,
    finding,
    ...defined({ advice }),
  });
}

export const good = checkOf('good');
export const note = checkOf('note');
export const bad = checkOf('bad');

/** Bad, and `holdfast run` starts all the same. */
function lacks(...about: Parameters<typeof bad>): Check {
  return { ...bad(...about), runsWithout: true };
}

export async function* checkConfig(config: Config): AsyncGenerator<Check> {
  yield* checkParts(config);
  yield await checkTools(config);
  yield await checkSandbox(config);
  yield* checkShellFolders(config);
  yield* checkSecrets(config);
  yield await checkEncryption(config);
  yield* checkDestinations(config);
  yield* checkGateway(config);
  yield await checkFolder('folder', config.dir, 'Run in a writable folder, or set HOLDFAST_DIR to one.');
  yield await checkResults(config);
}

/** The config's own store is only read. */
async function checkResults(config: Config): Promise<Check> {
  const { artifacts, artifactsDir } = config;
  const place = describeArtifacts(config);
  const advice = 'Set artifactsDir in the config file to a writable folder.';
  if (artifacts === undefined) return checkFolder('results', artifactsDir, advice);
  try {
    await openArtifactReader(config).get('doctor', 'probe');
    return good('results', `${place} of the config file answers`);
  } catch (error) {
    const reason = `${place} does not answer: ${messageOf(error)}`;
    return bad('results', reason, 'Correct "artifacts" in the config file.');
  }
}

/** Composes the parts of a worker, and reports their problems (WORKER-02). */
async function* checkParts(config: Config): AsyncGenerator<Check> {
  const { collectParts } = await import('../../worker/parts.ts');
  let parts: Parts;
  try {
    parts = await collectParts(config);
  } catch (error) {
    yield bad('worker', withTyped(messageOf(error)), 'Correct it and run doctor again.');
    return;
  }
  yield* checkSources(parts);
  yield* askSources(parts);
  // alarms have checks of their own
  const warnings = parts.warnings.filter((warning) => !parts.alarms.includes(warning));
  for (const warning of warnings) yield note('worker', withTyped(warning));
  yield worksWith(config, parts);
  yield checkModel(config, parts);
  yield* checkGroups(parts);
  yield* checkAgents(config, parts);
}

/** Toolsets and MCP servers: everything else works without them. */
function* checkSources({ sources }: Parts): Generator<Check> {
  for (const unit of sources.flatMap(({ units }) => units)) {
    const { kind, name, tools } = unit;
    const count = unit.status === 'ready' ? counted(tools.length, 'tool') : unit.status;
    const more = kind === 'mcp' ? `; see "${typed('mcp list')}"` : '';
    if (unit.status === 'failed') yield note(kind, `${name}: ${describeAbsence(unit)}`);
    else if (unit.problem !== undefined)
      yield note(kind, `${name}: ${count}; it does not work now, because ${unit.problem}`);
    else yield good(kind, `${name}: ${count}${more}`);
  }
}

/** One real query to each server, because a port that answers says nothing about rights. */
async function* askSources({ sources, redactor }: Parts): AsyncGenerator<Check> {
  const findings = await Promise.all(sources.map((source) => source.check((text) => redactor.text(text))));
  for (const { toolset, instance, tool, answer, said } of findings.flat()) {
    const what = `${instance === undefined ? toolset : `${toolset} ${instance}`}: ${tool}`;
    if (answer === 'data') yield good('source', `${what} answers: ${said}`);
    else if (answer === 'nothing')
      yield good('source', `${what} answers; it has nothing now, or its rows find nothing`);
    else yield note('source', `${what}: ${said}`);
  }
}

/** Checks the start of `run`, apart from other problems: with the default agent, or with one that names its own model. */
function worksWith({ model, modelReason, agents }: Config, { checkInput }: Parts): Check {
  const [own] = Object.entries(agents);
  try {
    checkInput({ prompt: '-' });
  } catch (error) {
    const { name } = modelOptions(own?.[1] ?? {});
    if (!own || name === undefined) return bad('run', withTyped(messageOf(error)));
    return good('run', `"${typed(`run --agent ${own[0]}`)}" would work with ${name}`);
  }
  return good('run', `"${typed('run')}" would work with ${model} (${modelReason})`);
}

function checkModel({ model, modelReason, script }: Config, { problems }: Parts): Check {
  const problem = problems.find(({ about }) => about === 'model');
  if (problem) return bad('model', withTyped(problem.message));
  const finding = `${model} (${modelReason})`;
  if (!model.startsWith('scripted:')) return good('model', finding);
  // without a script the default model is unused: every agent names its own
  return note('model', script ? `${finding}, played from ${script}` : finding);
}

function* checkGroups({ agents }: Parts): Generator<Check> {
  const { toolGroups = [] } = agents.get(defaultAgent) ?? {};
  if (toolGroups.length === 0) return;
  const counts = counted(toolGroups.length, 'group');
  yield good(
    'groups',
    `${defaultAgent} loads the tools of ${counts} when it needs them: ${toolGroups.join(', ')}`,
  );
}

function* checkAgents({ agents }: Config, { problems, agents: usable }: Parts): Generator<Check> {
  const lacking = problems.filter(({ about }) => about !== 'model');
  for (const { message } of lacking) yield bad('agent', message, 'Correct it: no worker starts with it.');
  const absent = Object.entries(agents).flatMap(([name, { tools }]) =>
    tools
      // a pattern may match nothing, and an excluded tool need not exist
      .filter((tool) => !/^!|\*/.test(tool) && usable.get(name)?.tools.includes(tool) === false)
      .map((tool) => `${name} lacks ${tool}`),
  );
  if (absent.length > 0) yield note('agents', `${absent.join(', ')}: absent now, see above`);
  const names = Object.keys(agents);
  if (lacking.length === 0 && absent.length === 0 && names.length > 0)
    yield good('agents', `${names.join(', ')}: their tools, hooks and models are all here`);
}

/** Runs one program in it. Without the sandbox bash is off; everything else works. */
async function checkSandbox({ shell }: Config): Promise<Check> {
  const { probeSandbox, sandboxOff } = await import('../../worker/shell-sandbox.ts');
  if (shell?.sandbox === 'dangerously-off')
    return note('sandbox', sandboxOff, 'Remove shell.sandbox, and install bubblewrap (docs/sandbox.md).');
  const found = await probeSandbox();
  if (!found.ok) {
    const finding = `bash is off: ${found.reason}`;
    return shell === undefined
      ? note('sandbox', finding, found.advice)
      : lacks('sandbox', finding, found.advice);
  }
  const opened = {
    none: '; no bash: the config has no "shell"',
    never: '; changes are refused',
    sandbox: '',
    host: '; APPROVED CHANGES RUN ON THE HOST, outside the sandbox',
  };
  const works =
    `bubblewrap ${found.version}: ${shell?.network ? 'WITH NETWORK' : 'no network'}, read-only, limits of time, memory, ` +
    `processes and output${opened[shell?.changes ?? 'none']}`;
  return found.remarks.length === 0
    ? good('sandbox', works)
    : note('sandbox', `${works}; ${found.remarks.join('; ')}`, 'See docs/sandbox.md.');
}

/** A worker reports them at its start, too. */
async function* checkShellFolders(config: Config): AsyncGenerator<Check> {
  const { faultsOfFolders } = await import('../../worker/shell-sandbox.ts');
  for (const fault of await faultsOfFolders(config)) yield note('shell', fault);
}

async function checkTools(config: Config): Promise<Check> {
  const { tools, fileRoots, writableFolders, httpAllow, agents, shell, toolsets } = config;
  const isFolder = (path: string) =>
    stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const folders = [...new Set([...fileRoots, ...writableFolders])];
  const known = await Promise.all(folders.map(isFolder));
  const gone = folders.filter((_, index) => !known[index]);
  if (gone.length > 0)
    return lacks(
      'tools',
      `no folder ${gone.join(', ')}`,
      'Correct files.roots or files.writable, or make it.',
    );
  const finding =
    `${counted(tools.length, 'own tool')}, ${counted(Object.keys(agents).length, 'own agent')}, ` +
    `${counted(fileRoots.length, 'readable folder')}, ${counted(writableFolders.length, 'writable one')}, ${counted(httpAllow.length, 'host')} for http_get` +
    (shell === undefined ? '' : ', bash');
  const given = [tools, fileRoots, httpAllow, Object.keys(toolsets)];
  if (shell !== undefined || given.some((each) => each.length > 0)) return good('tools', finding);
  const advice =
    'The agent can look at nothing: name files.roots, http.allow or toolsets in holdfast.config.ts.';
  return note('tools', finding, advice);
}

/** Tries to write in the nearest existing folder. */
async function checkFolder(name: string, dir: string, advice: string): Promise<Check> {
  let existing = dir;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    await assertWritable(existing);
    return good(name, dir);
  } catch (error) {
    return bad(name, `${dir} cannot be written (${messageOf(error)})`, advice);
  }
}

/** Variables and files are read; a command runs only where its value is used. */
async function* checkSecrets(config: Config): AsyncGenerator<Check> {
  const names = Object.keys(config.secrets);
  if (names.length === 0) return;
  const problems = await problemsOfSecrets(config);
  for (const problem of problems) yield lacks('secrets', problem, 'Set it: what names it fails until then.');
  const untried = names.filter((name) => 'command' in (config.secrets[name] ?? {}));
  const tail =
    untried.length === 0 ? '' : `; not tried here, because a command gives it: ${untried.join(', ')}`;
  if (problems.length === 0) yield good('secrets', `${names.join(', ')}${tail}`);
}

function hostOf(address: string): string[] {
  const host = URL.parse(address)?.hostname ?? '';
  return host === '' ? [] : [host];
}

/** Their secrets are read, and nothing is sent. */
async function* checkDestinations(config: Config): AsyncGenerator<Check> {
  for (const [name, destination] of Object.entries(config.destinations)) {
    const [[kind, settings] = ['', {}]] = Object.entries(destination);
    // of an address the host: the rest may be a secret
    const words = Object.values(settings)
      .flat()
      .flatMap((value) => (typeof value !== 'string' ? [] : value.includes('://') ? hostOf(value) : [value]));
    const what = `${name}: ${[kind, ...words].join(', ')}`;
    const problems = await problemsOfSecrets(config, destination);
    yield problems.length === 0
      ? good('destination', what)
      : lacks('destination', `${what}; ${problems.join(' ')}`, 'Set it: nothing arrives there until then.');
  }
}

/** Tokens and certificates, which a gateway reads at its start. */
async function* checkGateway(config: Config): AsyncGenerator<Check> {
  if (config.gateway === undefined) return;
  const { problemsOfGateway } = await import('../../gateway/gateway.ts');
  const problems = await problemsOfGateway(config);
  for (const problem of problems)
    yield lacks('gateway', problem, 'Correct it: no gateway starts until then.');
  const callers = Object.keys(config.gateway.tokens ?? {});
  if (problems.length === 0)
    yield good(
      'gateway',
      callers.length === 0 ? 'no tokens: this machine only' : `callers ${callers.join(', ')}`,
    );
}

async function checkEncryption(config: Config): Promise<Check> {
  if (config.encryption === undefined)
    return good('encryption', 'off: the Temporal server keeps sessions as plain text');
  try {
    const { activeKey, keys } = (await readKeys(config)) ?? {};
    const others = [...(keys?.keys() ?? [])].filter((id) => id !== activeKey);
    const rest = others.length === 0 ? '' : `; also decrypts ${others.join(', ')}`;
    return good('encryption', `on with key ${activeKey}${rest}`);
  } catch (error) {
    return bad('encryption', withTyped(messageOf(error)), 'Correct "encryption" in the config file.');
  }
}
