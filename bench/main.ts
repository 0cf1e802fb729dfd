// `npm run bench`: Holdfast sessions against a bare Temporal workflow on one dev server. Ratios are what counts.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDevServer } from '../src/dev-server/dev-server.ts';
import { getTemporalBinary } from '../src/dev-server/temporal-binary.ts';
import { cacheFolder, readEnvironment } from '../src/config/environment.ts';
import { installRuntime } from '../src/worker/telemetry/install-runtime.ts';
import { toolResultBytes } from './content.ts';
import { delegatedTurns, measureDelegation, modelLatencyMs } from './delegation.ts';
import { measureLongRun } from './long-run.ts';
import { idleSessions, idleTurns, measureIdleMemory } from './memory.ts';
import { Pace } from './pace.ts';
import { measurePackage, toPackageTable } from './package.ts';
import { measureFixedPart, toFixedPartTable } from './fixed-part.ts';
import { measurePolicy, toPolicyTable } from './policy.ts';
import { measurePrefix } from './prefix.ts';
import { delegationFigures, toResults, type Results } from './results.ts';
import { openSides } from './sides.ts';
import { toTable } from './table.ts';
import { measureTelemetry, toTelemetryTable } from './telemetry.ts';
import { measureThroughput, sessionsAtOnce } from './throughput.ts';
import { measureTurnTimes, sessionTurns } from './turn-time.ts';

const help = `Usage: npm run bench -- [options]

  --json       one object instead of a table
  --pairs N    pairs of ${sessionTurns}-turn sessions, two blocks a window each (default 6, about 5 minutes)
  --turns N    instead: one long session of ours, for example 100000 (half an hour or more)
  --delegation instead: only what a delegation costs (a minute)
  --package    instead: size of the installed package, time of its --help (a minute, no server)
  --telemetry  instead: a turn with log, metrics and traces (two minutes)
  --policy     instead: the judge of shell commands on recorded command lines (seconds, no server)
  --prompt     instead: bytes that every request of the investigator begins with (seconds, no server)`;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    pairs: { type: 'string', default: '6' },
    turns: { type: 'string' },
    package: { type: 'boolean', default: false },
    policy: { type: 'boolean', default: false },
    prompt: { type: 'boolean', default: false },
    telemetry: { type: 'boolean', default: false },
    delegation: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

type Place = { address: string; dir: string; serverVersion: string };

async function compare({ address, dir, serverVersion }: Place, pairs: number): Promise<Results> {
  const startedAt = performance.now();
  const pace = new Pace();
  const artifactsDir = join(dir, 'artifacts');
  const opened = await openSides({ address, pace, taskQueuePrefix: 'bench', artifactsDir });
  const setting = { client: opened.client, pace, sides: opened.sides, say };
  for (const name of ['ours', 'bare'] as const) {
    // code is compiled and connections stand before anything is measured
    await opened.sides[name].start(`bench-warm-${name}`, { turns: 100 });
    await opened.sides[name].ended(`bench-warm-${name}`);
  }
  const times = await measureTurnTimes(setting, pairs);
  const throughput = await measureThroughput(setting, 3);
  const prefix = await measurePrefix({ address, client: opened.client, artifactsDir, say });
  await opened.close();
  const delegation = await measureDelegation({ address, artifactsDir, say }, delegationPairs);
  const idle = await measureIdleMemory({ address, artifactsDir, dir, say });
  const minutes = Number(((performance.now() - startedAt) / 60_000).toFixed(1));
  return toResults({
    times,
    throughput,
    idle,
    prefix,
    delegation,
    conditions: conditions(serverVersion, times.blocks.length / 3, throughput.length, minutes),
  });
}

const delegationPairs = 12;

async function delegations({ address, dir }: Place) {
  const setting = { address, artifactsDir: join(dir, 'artifacts'), say };
  return delegationFigures(await measureDelegation(setting, delegationPairs));
}

async function long({ address, dir }: Place, turns: number) {
  const pace = new Pace();
  const artifactsDir = join(dir, 'artifacts');
  const opened = await openSides({ address, pace, taskQueuePrefix: 'bench', artifactsDir, only: 'ours' });
  const result = await measureLongRun({ client: opened.client, pace, side: opened.sides.ours, say }, turns);
  await opened.close();
  return result;
}

function conditions(
  serverVersion: string,
  blocks: number,
  runs: number,
  minutes: number,
): Results['conditions'] {
  return {
    cpu: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`,
    node: process.versions.node,
    server: `Temporal ${serverVersion}, embedded, on a file with the fast flags`,
    model: 'zero latency, no window limit, so nothing is condensed',
    toolResultBytes,
    ours: 'shipped defaults: policy, summaries, search attributes, artifacts, heartbeats',
    bare: 'same two activities, sizes of inputs and results, heartbeats, timeouts and worker options; hands over as early',
    blocks: `${blocks} alternating pairs of 50 turns a window; both sides in one process`,
    throughput: `${runs} alternating runs of ${sessionsAtOnce} sessions at once, middle 80 % of the turns`,
    delegation: `${delegationPairs} alternating pairs; a subagent of ${delegatedTurns} turns, its model answers in ${modelLatencyMs} ms`,
    idle: `${idleSessions} sessions of ${idleTurns} turns, what both heaps of a process of its own hold; each side with its own bundle`,
    minutes,
  };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} is "${value}": expected a whole number from 1.`);
}

async function main(): Promise<void> {
  if (options.help) return console.log(help);
  if (options.package) {
    const results = measurePackage(say);
    return console.log(options.json ? JSON.stringify(results) : toPackageTable(results));
  }
  if (options.policy) {
    const results = measurePolicy();
    return console.log(options.json ? JSON.stringify(results) : toPolicyTable(results));
  }
  if (options.prompt) {
    const results = await measureFixedPart();
    return console.log(options.json ? JSON.stringify(results) : toFixedPartTable(results));
  }
  const pairs = wholeNumber('pairs', options.pairs);
  const turns = options.turns === undefined ? undefined : wholeNumber('turns', options.turns);
  const environment = readEnvironment();
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  installRuntime(join(dir, 'worker.log'));
  const binary = await getTemporalBinary({ environment, cacheDir: cacheFolder(environment), say });
  const server = await startDevServer({ dir, binary: binary.path, environment, ui: false });
  try {
    const place = { address: server.address, dir, serverVersion: binary.serverVersion };
    if (options.telemetry) {
      const results = await measureTelemetry({
        address: server.address,
        artifactsDir: join(dir, 'artifacts'),
        say,
      });
      console.log(options.json ? JSON.stringify(results) : toTelemetryTable(results));
    } else if (options.delegation) {
      console.log(JSON.stringify(await delegations(place), null, options.json ? 0 : 2));
    } else if (turns !== undefined) {
      console.log(JSON.stringify(await long(place, turns), null, options.json ? 0 : 2));
    } else {
      const results = await compare(place, pairs);
      console.log(options.json ? JSON.stringify(results) : toTable(results));
    }
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
