// `npm run bench`: Holdfast sessions against a bare Temporal workflow on one dev server, as ratios. Exits with 1 if a bar
// is missed that open-bars.ts does not list.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDevServer } from '../../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../../src/dev-server/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../../src/config/environment.ts';
import { installRuntime } from '../../src/worker/telemetry/install-runtime.ts';
import { toExitCode, judge, toLines } from './bars.ts';
import { toolResultBytes } from './content.ts';
import type { Figure } from './figures.ts';
import { measureLongRun } from './long-run.ts';
import { toFigureTable } from './render.ts';
import type { Bench, BenchRow } from './row.ts';
import { rows } from './rows.ts';

const help = `Usage: npm run bench -- [options]

  --only NAMES  these rows, e.g. --only turn,idle
  --package     the same as --only package
  --turns N     instead: one long session of ours, for example 100000 (half an hour or more)
  --json        one object instead of a table
  --out FILE    the object into a file as well; node tools/bench/table.ts FILE prints it as docs/performance.md has it

Rows (about twelve minutes; those with * only by name):
${rows.map(({ name, what, alone }) => `  ${alone ? '*' : ' '} ${name.padEnd(11)} ${what}`).join('\n')}`;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    turns: { type: 'string' },
    out: { type: 'string' },
    package: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function chosenRows(): BenchRow[] {
  if (options.turns !== undefined) return [longRow(wholeNumber('turns', options.turns, 10))];
  const names = options.package ? 'package' : options.only;
  if (names === undefined) return rows.filter(({ alone }) => alone !== true);
  return names.split(',').map((name) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (row) return row;
    throw new Error(`--only has "${name}": expected some of ${rows.map((known) => known.name).join(', ')}.`);
  });
}

function longRow(turns: number): BenchRow {
  return {
    name: 'long',
    what: `a session of ${turns} turns`,
    measure: (bench) => measureLongRun(bench, turns),
  };
}

function wholeNumber(name: string, value: string, least: number): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`--${name} is "${value}": expected a whole number from ${least}.`);
}

/** Runs `work` with a folder, and with a server that starts at its first use. */
async function withBench<Result>(
  work: (bench: Bench) => Promise<Result>,
): Promise<{ result: Result; server: string }> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  let starting: ReturnType<typeof startServer> | undefined;
  try {
    const server = () => (starting ??= startServer(dir, say));
    const address = async () => (await server()).address;
    const pid = async () => (await server()).pid;
    const result = await work({ dir, say, address, pid });
    return { result, server: (await starting)?.version ?? 'none' };
  } finally {
    await (await starting?.catch(() => undefined))?.stop();
    // after an error a worker may still write there, and the error is more important
    await rm(dir, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function startServer(dir: string, say: (line: string) => void) {
  const environment = readEnvironment();
  installRuntime(join(dir, 'worker.log'));
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const server = await startDevServer({ dir, binary: binary.path, environment, ui: false });
  return {
    address: server.address,
    pid: server.pid,
    version: binary.serverVersion,
    stop: () => server.stop(),
  };
}

function conditionsOf(server: string, minutes: number): Record<string, string | number> {
  return {
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`,
    node: process.versions.node,
    server: `Temporal ${server}, embedded, on a file with the fast flags`,
    model: 'zero latency, no window limit where nothing is said about condensing',
    'bytes of a tool result': toolResultBytes,
    ours: 'shipped defaults: policy, summaries, search attributes, artifacts, heartbeats',
    bare: 'same activities, sizes of inputs and results, heartbeats, timeouts and worker options; hands over as early',
    'as people write it': "the same with the SDK's defaults for bundle and build id",
    spreads:
      'median of alternating blocks or runs (quartiles); a bar is missed when the whole range is beyond it',
    minutes,
  };
}

async function main(): Promise<void> {
  if (options.help) return console.log(help);
  const chosen = chosenRows();
  const startedAt = performance.now();
  const { result: figures, server } = await withBench(async (bench) => {
    const all: Figure[] = [];
    for (const { name, what, measure } of chosen) {
      bench.say(`${name}: ${what}`);
      all.push(...(await measure(bench)));
    }
    return all;
  });
  const minutes = Number(((performance.now() - startedAt) / 60_000).toFixed(1));
  const conditions = conditionsOf(server, minutes);
  const judged = figures.map(judge);
  const json = JSON.stringify({ figures: judged, conditions });
  if (options.out !== undefined) await writeFile(options.out, `${json}\n`);
  console.log(options.json ? json : toFigureTable(judged, conditions));
  for (const line of toLines(judged)) console.error(line);
  // the SDK's runtime keeps a process alive in which no worker has been
  process.exit(toExitCode(judged));
}

await main();
