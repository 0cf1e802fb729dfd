// Runs one program to its end: without a shell, a terminal or input, in bounded memory and time. When it returns, nothing
// that the program started is left. Runs in Node.
import { messageOf } from '@holdfast/base/message-of';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { maxKeptCharacters } from '@holdfast/redaction/clean-output';
import { createKiller, type Killer, markName, type Stop } from './killer.ts';
import { createOutputBuffer, type OutputBuffer } from './output-buffer.ts';
import { spawnClosed } from './spawn-closed.ts';
import { memoryOf, processTree } from './process-tree.ts';

export type ProcessRun = {
  argv: readonly string[];
  cwd: string;
  /** The whole environment; only a mark is added, which finds processes that left the group. */
  environment: Readonly<Record<string, string>>;
  signal: AbortSignal;
  timeoutMs: number;
  /** Bytes of the output kept in memory; the middle of a longer one is dropped. Default: 8 MiB. */
  keepBytes?: number;
  /** Receives a longer output in full, from its beginning; the program waits meanwhile. With `separate`: standard output. */
  onLongOutput?: (chunk: Uint8Array) => Promise<void>;
  /** More output ends the process. Default: 1 GiB. */
  endAtBytes?: number;
  /** Keeps standard error apart, in `errorText`. Default: one stream, in the order of writing. */
  separate?: boolean;
  /** Receives the newest output, at most every 200 ms. */
  onOutput?: (newest: string) => void;
  /** Limits for the program and all that it started, checked every 100 ms. Linux only. */
  treeLimits?: { memoryBytes: number; processes: number };
  /** True if the program has written more than allowed. Called repeatedly while it runs, for at most a tenth of the time. */
  hasWrittenTooMuch?: () => Promise<boolean>;
  /** The program is a supervisor whose end ends everything below it (bubblewrap). TERM goes only to the programs it runs. */
  supervisor?: boolean;
  /**
   * The program's file descriptors from 3 on: bytes to read, a `gate`, which answers its first line with one, or `marks`,
   * to which it writes. With a gate the program begins at that answer; the steps before only set it up.
   */
  descriptors?: readonly (Uint8Array | 'gate' | 'marks')[];
};

export type ProcessOutcome = {
  /** False if its gate was never opened: then all output is from the programs that set it up. */
  begun: boolean;
  /** Null if a signal ended it, or nothing could. */
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  ended: 'exited' | Stop | 'output_unread';
  /** Sanitised, not redacted. */
  text: string;
  errorText: string;
  totalBytes: number;
  cutBytes: number;
  /** Bytes written to its `marks`. */
  marks: number;
};

/** Leaves room for the line that counts the dropped bytes. */
const defaultKeepBytes = maxKeptCharacters - 1_024;
const defaultEndAtBytes = 1024 ** 3;
const drainMs = 1_000;
const longestDrainMs = 30_000;
const watchEveryMs = 100;
const partialEveryMs = 200;
const partialBytes = 65_536;

/** Resolves however the program ends, also after an abort. Rejects if it cannot be started. */
export async function runProcess(run: ProcessRun): Promise<ProcessOutcome> {
  if (run.signal.aborted) return neverRun;
  const mark = randomUUID();
  const child = await start(run, mark);
  const killer = createKiller(child, mark, run.supervisor === true);
  const fed = feed(child, run, () => killer.stopped() !== undefined);
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, 'close');
  const output = collectOutput(run, child, () => killer.stop('output_limit'));
  const timer = setTimeout(() => killer.stop('timed_out'), run.timeoutMs);
  const onAbort = (): void => killer.stop('aborted');
  run.signal.addEventListener('abort', onAbort);
  if (run.signal.aborted) onAbort();
  const watch = run.treeLimits && setInterval(watchTree, watchEveryMs, child, run.treeLimits, killer);
  const watching = new AbortController();
  const watchedWrites = watchWrites(run, killer, watching.signal);
  try {
    const [exitCode, signal] = await Promise.race([exited, killer.unkillable]);
    watching.abort();
    killer.end();
    await watchedWrites;
    const isRead = await drain(closed, output.isBusy, () => !killer.stopped() && !run.signal.aborted);
    killer.killMarked();
    const ended = killer.stopped() ?? (isRead ? 'exited' : 'output_unread');
    return { ...fed(), exitCode, signal, ended, ...output.read() };
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    watching.abort();
    run.signal.removeEventListener('abort', onAbort);
    output.close();
  }
}

const neverRun: ProcessOutcome = {
  begun: false,
  exitCode: null,
  signal: null,
  ended: 'aborted',
  text: '',
  errorText: '',
  totalBytes: 0,
  cutBytes: 0,
  marks: 0,
};

/**
 * Reads the rest of the pipe. A daemon may keep the pipe open, so nothing more is waited for, except a slow store, while
 * `mayWait`. False if the store has not taken everything: the end of the output is then missing.
 */
async function drain(
  closed: Promise<unknown>,
  isBusy: () => boolean,
  mayWait: () => boolean,
): Promise<boolean> {
  const isClosed = closed.then(() => true);
  for (let waitedMs = 0; waitedMs < longestDrainMs; waitedMs += drainMs) {
    if (await Promise.race([isClosed, delay(drainMs, false, { ref: false })])) return true;
    if (!isBusy() || !mayWait()) break;
  }
  return !isBusy();
}

/** One pipe for both streams keeps their order, and only a shell can make one. The program's words are its arguments. */
const oneStream = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'];

async function start(run: ProcessRun, mark: string): Promise<ChildProcess> {
  const [program = '', ...args] = run.separate ? run.argv : [...oneStream, ...run.argv];
  const { descriptors = [] } = run;
  const child = spawnClosed(program, args, descriptors.length, {
    cwd: run.cwd,
    // everything below a supervisor ends with it and needs no mark
    env: run.supervisor ? run.environment : { ...run.environment, [markName]: mark },
    detached: true, // a session and group of its own, without a terminal
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    const reason = `${program} could not be started in ${run.cwd}: ${messageOf(error)}`;
    throw new Error(reason, { cause: error });
  }
  return child;
}

/** Once the program is stopped, its gate only gets the end of the file, so it never begins. Returns its state so far. */
function feed(
  child: ChildProcess,
  { descriptors = [] }: ProcessRun,
  isStopped: () => boolean,
): () => Pick<ProcessOutcome, 'begun' | 'marks'> {
  let isClosed = descriptors.includes('gate');
  let marks = 0;
  for (const [index, bytes] of descriptors.entries()) {
    const pipe = child.stdio[3 + index];
    if (!pipe || !('end' in pipe)) continue;
    pipe.on('error', () => {}); // it ended before it read
    if (bytes === 'marks') {
      pipe.on('data', (chunk: Buffer) => (marks += chunk.length));
      continue;
    }
    if (bytes !== 'gate') {
      pipe.end(bytes);
      continue;
    }
    pipe.once('data', () => {
      if (isStopped()) return pipe.destroy();
      isClosed = false;
      return pipe.end('go\n');
    });
  }
  return () => ({ begun: !isClosed, marks });
}

function watchTree(
  child: ChildProcess,
  limits: { memoryBytes: number; processes: number },
  killer: Killer,
): void {
  const pids = processTree(child.pid ?? 0, limits.processes + 1);
  if (pids.length > limits.processes) killer.stop('process_limit');
  const memoryBytes = pids.reduce((sum, pid) => sum + memoryOf(pid), 0);
  if (memoryBytes > limits.memoryBytes) killer.stop('memory_limit');
}

async function watchWrites(
  { hasWrittenTooMuch }: ProcessRun,
  killer: Killer,
  signal: AbortSignal,
): Promise<void> {
  while (hasWrittenTooMuch !== undefined && !signal.aborted) {
    const startedAt = performance.now();
    // the check after the end reports the same limit
    if (await hasWrittenTooMuch().catch(() => false)) return killer.stop('write_limit');
    const pauseMs = Math.max(partialEveryMs, 10 * (performance.now() - startedAt));
    await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

function collectOutput(run: ProcessRun, child: ChildProcess, onLimit: () => void) {
  const { keepBytes = defaultKeepBytes, endAtBytes = defaultEndAtBytes } = run;
  const keptOfEach = run.separate ? keepBytes / 2 : keepBytes;
  const out = createOutputBuffer(keptOfEach);
  const error = createOutputBuffer(keptOfEach);
  let timer: NodeJS.Timeout | undefined;
  const long = createSpill(run, child, out, keptOfEach);
  const totalBytes = (): number => out.totalBytes() + error.totalBytes();
  const addTo = (buffer: OutputBuffer) => (chunk: Buffer) => {
    if (buffer === out) long.before(chunk);
    buffer.add(chunk);
    if (totalBytes() > endAtBytes) onLimit();
    timer ??= setTimeout(() => {
      timer = undefined;
      run.onOutput?.(out.newest(partialBytes));
    }, partialEveryMs);
  };
  child.stdout?.on('data', addTo(out));
  child.stderr?.on('data', addTo(run.separate ? error : out));
  return {
    isBusy: long.isBusy,
    read(): Pick<ProcessOutcome, 'text' | 'errorText' | 'totalBytes' | 'cutBytes'> {
      const [said, apart] = [out.read(), error.read()];
      const cutBytes = said.cutBytes + apart.cutBytes;
      return { text: said.text, errorText: apart.text, totalBytes: totalBytes(), cutBytes };
    },
    close(): void {
      clearTimeout(timer);
      child.unref();
      for (const pipe of child.stdio) pipe?.destroy();
    },
  };
}

/** Passes the whole output on as soon as the buffer would drop a part of it. */
function createSpill(
  { onLongOutput }: ProcessRun,
  { stdout }: ChildProcess,
  kept: OutputBuffer,
  keepBytes: number,
) {
  let isLong = false;
  let busy = 0;
  const pass = (chunk: Uint8Array): void => {
    const resume = (): void => {
      busy -= 1;
      if (busy === 0) stdout?.resume();
    };
    busy += 1;
    stdout?.pause();
    onLongOutput?.(chunk).then(resume, resume);
  };
  return {
    isBusy: () => busy > 0,
    before(chunk: Uint8Array): void {
      if (onLongOutput === undefined || (!isLong && kept.totalBytes() + chunk.length <= keepBytes)) return;
      if (!isLong) pass(kept.bytes());
      isLong = true;
      pass(chunk);
    },
  };
}
