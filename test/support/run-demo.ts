// Runs `holdfast demo --json` as a process in a folder of its own and reads what it said.
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { planIncident } from '../../packages/demo/src/checkout/plan.ts';

const command = resolve(import.meta.dirname, '../../bin/holdfast.js');

/** Only what tests look at; the lines themselves hold more. */
export type DemoEvent = { type: string; turn: number; tool: string; agent: string };
export type DemoResult = {
  status: string;
  lastWords: string;
  report: { grade: string; quotes: number; verifiedQuotes: number; claims: number; verifiedClaims: number };
};
export type DemoLine =
  | { type: 'incident'; dir: string; urls: { shop: string; payments: string } }
  | { type: 'session'; sessionId: string; uiUrl: string }
  | { type: 'event'; event: DemoEvent }
  | { type: 'crash'; crash: { where: string } }
  | { type: 'monitoring'; words: string }
  | { type: 'alert'; receiver: string; name: string; severity: string; fate: { session: string } }
  | { type: 'delivered'; files: string[] }
  | { type: 'result'; result: DemoResult; report: string }
  | DemoRecord;

/** The demo's own record of the system, and the sentences of the report that it contradicts. */
export type DemoRecord = {
  type: 'record';
  running: string;
  poolSize: number;
  executions: number;
  contradictions: string[];
};

export type Demo = {
  exitCode: number;
  lines: DemoLine[];
  stderr: string;
  result: DemoResult;
  /** Markdown. */
  report: string;
  incident: Extract<DemoLine, { type: 'incident' }>;
  record: DemoRecord;
};

export type RunningDemo = {
  /** The first line of a type, as soon as it is said; rejects when the demo ends without one. */
  line<Type extends DemoLine['type']>(type: Type): Promise<Extract<DemoLine, { type: Type }>>;
  lines: DemoLine[];
  interrupt(): void;
  /** Resolves when the process has ended. */
  ended: Promise<{ exitCode: number; stderr: string }>;
};

/** Without a terminal, and without a model key but what `environment` brings. Ended with the test. */
export async function startDemo(
  options: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<RunningDemo> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const unset = {
    OPENAI_API_KEY: undefined,
    ANTHROPIC_API_KEY: undefined,
    HOLDFAST_MODEL: undefined,
    TEMPORAL_DEBUG: undefined,
  };
  const child = spawn(process.execPath, [command, 'demo', '--json', ...options], {
    cwd: dir,
    env: { ...process.env, ...unset, ...environment, HOLDFAST_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: DemoLine[] = [];
  const said = new EventEmitter();
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(readLine(text));
    said.emit('line');
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ exitCode: Number(code), stderr }));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const line: RunningDemo['line'] = async (type) => {
    for (;;) {
      const found = lines.find((candidate) => candidate.type === type);
      if (isOfType(found, type)) return found;
      const more = await Promise.race([once(said, 'line').then(() => true), ended.then(() => false)]);
      if (!more) throw new Error(`The demo ended without a line of type ${type}:\n${stderr}`);
    }
  };
  return { line, lines, ended, interrupt: () => void child.kill('SIGINT') };
}

function isOfType<Type extends DemoLine['type']>(
  line: DemoLine | undefined,
  type: Type,
): line is Extract<DemoLine, { type: Type }> {
  return line?.type === type;
}

/** The whole demo, to its end. */
export async function runDemo(options: string[], environment?: NodeJS.ProcessEnv): Promise<Demo> {
  const demo = await startDemo(options, environment);
  const { exitCode, stderr } = await demo.ended;
  const { result, report } = await demo.line('result');
  const [incident, record] = [await demo.line('incident'), await demo.line('record')];
  return { exitCode, stderr, lines: demo.lines, result, report, incident, record };
}

export function eventsOf(demo: Demo, type: string): DemoEvent[] {
  return demo.lines.flatMap((line) =>
    line.type === 'event' && line.event.type === type ? [line.event] : [],
  );
}

export function crashesOf(demo: Demo): { where: string }[] {
  return demo.lines.flatMap((line) => (line.type === 'crash' ? [line.crash] : []));
}

/** The command's own words; a wrong shape fails the test that looks at it. */
function readLine(line: string): DemoLine {
  return JSON.parse(line) as DemoLine;
}

/** What the report must say about the fault of a seed. */
export function causeOf(seed: number): string {
  const { deployIds, poolBefore, poolAfter } = planIncident(seed);
  return `Deploy ${deployIds.fault} cut the pool of payments from ${poolBefore} connections to ${poolAfter}.`;
}

export function expectAllVerified({ result }: Demo): void {
  const { quotes, verifiedQuotes, claims, verifiedClaims } = result.report;
  expect(quotes).toBeGreaterThanOrEqual(6);
  expect({ verifiedQuotes, verifiedClaims }).toEqual({ verifiedQuotes: quotes, verifiedClaims: claims });
}

export async function expectNothingRuns({ incident }: Pick<Demo, 'incident'>): Promise<void> {
  for (const url of Object.values(incident.urls)) await expect(fetch(`${url}/metrics`)).rejects.toThrow();
}
