// Runs `holdfast demo --json` as a process in a folder of its own and reads what it said.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const command = resolve(import.meta.dirname, '../../bin/holdfast.js');

/** Only what tests look at; the lines themselves hold more. */
export type DemoEvent = { type: string; turn: number; tool: string };
export type DemoResult = {
  status: string;
  answer: string;
  report: { grade: string; quotes: number; verifiedQuotes: number; claims: number; verifiedClaims: number };
};
export type DemoLine =
  | { type: 'incident'; dir: string; urls: { shop: string; payments: string } }
  | { type: 'event'; event: DemoEvent }
  | { type: 'crash'; crash: { where: string } }
  | { type: 'result'; result: DemoResult; report: string };

export type Demo = {
  exitCode: number;
  lines: DemoLine[];
  stderr: string;
  result: DemoResult;
  /** Markdown. */
  report: string;
  incident: Extract<DemoLine, { type: 'incident' }>;
};

/** Without a terminal and without a model key. Ended with the test. */
export function runDemo(...options: string[]): Promise<Demo> {
  return runDemoWith({}, ...options);
}

/** The same with keys or addresses of a model. */
export async function runDemoWith(model: Record<string, string>, ...options: string[]): Promise<Demo> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { OPENAI_API_KEY: _, ANTHROPIC_API_KEY: __, HOLDFAST_MODEL: ___, ...environment } = process.env;
  const child = spawn(process.execPath, [command, 'demo', '--json', ...options], {
    cwd: dir,
    env: { ...environment, HOLDFAST_DIR: dir, ...model },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGTERM'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exitCode = await new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)));
  const lines = output.stdout.split('\n').flatMap((line) => (line === '' ? [] : [readLine(line)]));
  const end = lines.find((line) => line.type === 'result');
  const incident = lines.find((line) => line.type === 'incident');
  if (end === undefined || incident === undefined)
    throw new Error(`The demo gave no result:\n${output.stderr}`);
  return { exitCode, lines, stderr: output.stderr, result: end.result, report: end.report, incident };
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
