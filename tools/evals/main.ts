// `npm run evals`: the golden set of incidents against a model, as a table.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exitCodeOfError } from '../../src/cli/error-code.ts';
import { exitCodes } from '../../src/common/exit-codes.ts';
import { UserError } from '../../src/common/user-error.ts';
import { builtInProviders } from '@holdfast/providers/vendors';
import { resolveConfig } from '../../src/config/config.ts';
import { cacheFolder, type Environment, readEnvironment } from '../../src/config/environment.ts';
import { parseModelName } from '@holdfast/vocabulary/model-name';
import { messageOf } from '@holdfast/base/message-of';
import { shellWord } from '@holdfast/base/shell-word';
import { startDevServer } from '../../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../../src/dev-server/temporal-binary.ts';
import { incidents } from './incidents.ts';
import { type EvalRow, type EvalsOptions, evalsEnvironment, runEvals } from './run-evals.ts';
import type { IncidentModule } from './system.ts';
import { isSame, toTable } from './table.ts';

const help = `Usage: npm run evals -- [options]

  --model M    scripted (default: each incident has a script), or <provider>:<model id>, with its key in the environment
  --only NAME  this incident alone; several with commas: ${Object.keys(incidents).join(', ')}
  --kills      all of it once more, with the worker killed in a model call and in a tool call of each
  --seed N     where the kills are (default 1)
  --json       the rows as one object instead of the table
  --keep       the folder stays, with reports and logs; says how to read them

Exit code: 0; 1 where a scripted run did not find its cause, has a false claim, has executed a
change twice, or differed under kills; 2 for a mistake in the options.`;

const stop = new AbortController();

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return console.log(help);
  const chosen = chooseIncidents(options.only);
  const environment = readEnvironment();
  checkModel(options.model, evalsEnvironment(environment));
  const seed = Number(options.seed);
  if (!Number.isInteger(seed)) throw new UserError(`--seed is "${options.seed}": expected a whole number.`);
  // the file tools need a path without links
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-evals-')));
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  // ends everything that was started
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => stop.abort(new Error('Interrupted: ending what was started.')));
  const server = await startDevServer({ dir, binary: binary.path, environment, ui: false });
  const sessions: EvalRow[] = [];
  try {
    const given = {
      dir,
      address: server.address,
      model: options.model,
      incidents: chosen,
      environment,
      say,
      signal: stop.signal,
    };
    const rows = await runEvals({ ...given, onRow: (row) => say(`${row.incident}: ${row.status}`) });
    sessions.push(...rows);
    const killed = options.kills ? await runKilled(given, seed) : undefined;
    sessions.push(...(killed ?? []));
    console.log(options.json ? JSON.stringify({ rows, killed }, null, 2) : toTable(rows, killed));
    for (const row of [...rows, ...(killed ?? [])])
      for (const reason of row.verdict.falseClaims) say(`! ${row.incident}: ${reason}`);
    if (options.model === 'scripted' && !isAsExpected(rows, killed)) process.exitCode = 1;
  } finally {
    await server.stop();
    if (options.keep) say(`Kept: ${dir}\n${howToRead(dir, sessions)}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

function howToRead(dir: string, rows: readonly EvalRow[]): string {
  const read = `npm run holdfast -- --config ${shellWord(join(dir, 'holdfast.config.mjs'))} report`;
  return rows
    .filter(({ sessionId }) => sessionId !== undefined)
    .map(({ incident, sessionId }) => `  ${incident}: ${read} ${sessionId}`)
    .join('\n');
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        model: { type: 'string', default: 'scripted' },
        only: { type: 'string' },
        kills: { type: 'boolean', default: false },
        seed: { type: 'string', default: '1' },
        json: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UserError(`${messageOf(error)}\n${help}`, undefined, { cause: error });
  }
}

function runKilled(given: EvalsOptions, killSeed: number): Promise<EvalRow[]> {
  return runEvals({
    ...given,
    killSeed,
    onRow: ({ incident, status, kills }) => say(`${incident}, killed ${kills.length} times: ${status}`),
  });
}

function isAsExpected(rows: EvalRow[], killed: EvalRow[] = []): boolean {
  const played = [...rows, ...killed].filter(({ skipped }) => skipped === undefined);
  return (
    played.every(
      ({ verdict, effects }) => verdict.found && verdict.falseClaims.length === 0 && effects.most <= 1,
    ) && killed.every((row, index) => row.skipped !== undefined || isSame(rows[index], row))
  );
}

function chooseIncidents(only: string | undefined): Record<string, IncidentModule> {
  if (only === undefined) return incidents;
  const names = only.split(',').map((name) => name.trim());
  return Object.fromEntries(
    names.map((name) => {
      const found = incidents[name];
      if (found) return [name, found];
      throw new UserError(`--only names "${name}": expected ${Object.keys(incidents).join(', ')}.`);
    }),
  );
}

/** Checked before anything starts: a model that cannot be called would fail every incident. */
function checkModel(model: string, environment: Environment): void {
  if (model === 'scripted') return;
  const { model: chosen, providers } = resolveConfig({ cwd: process.cwd(), environment, model });
  const provider = parseModelName(chosen)?.provider ?? chosen;
  if (providers[provider] !== undefined) return;
  const vendor = builtInProviders.get(provider)?.vendor;
  if (vendor === undefined) {
    const known = [...builtInProviders.keys()].join(', ');
    throw new UserError(`--model is "${model}", and there is no provider "${provider}": expected ${known}.`);
  }
  const variable = `${vendor.prefix}_API_KEY`;
  throw new UserError(
    `--model is "${model}", and there is no key for ${provider}: expected ${variable} or ${variable}_FILE in the ` +
      'environment. Nothing was started. Without a key, --model scripted proves the machinery.',
  );
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

try {
  await main();
} catch (error) {
  const code = stop.signal.aborted ? exitCodes.interrupted : exitCodeOfError(error);
  if (code === undefined) throw error;
  say(messageOf(error));
  process.exitCode = code;
}
