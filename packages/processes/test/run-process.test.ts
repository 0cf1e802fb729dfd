// Real processes. Nothing here waits for a time to pass: a process is seen to be there, and then to be gone.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runProcess, type ProcessOutcome, type ProcessRun } from '../src/run-process.ts';
import { runningWith, uniqueSeconds } from '../../../test/support/processes.ts';

const onLinux = process.platform === 'linux';
const linuxOnly = onLinux ? '' : ' (skipped: processes are found by /proc, which is Linux only)';

function run(script: string, more: Partial<ProcessRun> = {}): Promise<ProcessOutcome> {
  return runProcess({
    argv: ['/bin/sh', '-c', script],
    cwd: '/',
    environment: { PATH: '/usr/bin:/bin' },
    signal: new AbortController().signal,
    timeoutMs: 20_000,
    ...more,
  });
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-run-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('a program', () => {
  test('runs without a shell: its words are its own', async () => {
    const argv = ['/bin/echo', '$HOME', '; touch /tmp/never', '$(id)', '-n', "it's"];
    expect(await run('', { argv })).toMatchObject({
      text: "$HOME ; touch /tmp/never $(id) -n it's\n",
      exitCode: 0,
    });
  });

  test('says how it ended', async () => {
    expect(await run('exit 7')).toMatchObject({ exitCode: 7, signal: null, ended: 'exited' });
    expect(await run('kill -9 $$')).toMatchObject({ exitCode: null, signal: 'SIGKILL', ended: 'exited' });
    expect(await run('', { argv: ['no-such-program'] })).toMatchObject({ exitCode: 127 });
  });

  test('cannot start in a folder that is not there: that is an error, no outcome', async () => {
    await expect(run('true', { cwd: '/no/such/folder' })).rejects.toThrow(
      'could not be started in /no/such/folder',
    );
  });

  test('gets the environment that it is given, and a mark', async () => {
    process.env['HOLDFAST_TEST_SECRET'] = 'never';
    onTestFinished(() => {
      delete process.env['HOLDFAST_TEST_SECRET'];
    });
    const { text } = await run('', { argv: ['/usr/bin/env'], environment: { ONLY: 'this' } });
    expect(text.split('\n').filter((line) => !/^(HOLDFAST_PROCESS|PWD|OLDPWD|SHLVL|_)=/.test(line))).toEqual([
      'ONLY=this',
      '',
    ]);
  });

  test('[SAFE-07ab] [FAULT-78] has no terminal and no input: who asks reads nothing, and goes on', async () => {
    const { text } = await run('read answer || echo nothing; tty; : </dev/tty', { timeoutMs: 60_000 });
    expect(text).toMatch(/^nothing\nnot a tty\n.*\/dev\/tty/);
  });

  test('both streams come in the order in which they were written', async () => {
    const { text, errorText } = await run('for i in 1 2 3 4 5 6 7 8; do echo o$i; echo e$i >&2; done');
    expect(text.split('\n').filter(Boolean)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((i) => [`o${i}`, `e${i}`]),
    );
    expect(errorText).toBe('');
  });

  test('they can be kept apart', async () => {
    expect(await run('echo out; echo error >&2', { separate: true })).toMatchObject({
      text: 'out\n',
      errorText: 'error\n',
      totalBytes: 10,
      cutBytes: 0,
    });
  });

  test('shows its newest output while it runs', async () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const onOutput = (newest: string): void => {
      seen.push(newest);
      controller.abort(); // it would never end by itself
    };
    const outcome = await run('echo begun; sleep 1000', { onOutput, signal: controller.signal });
    expect(seen).toEqual(['begun\n']);
    expect(outcome).toMatchObject({ ended: 'aborted', text: 'begun\n' });
  });

  test.skipIf(!onLinux)(`has no open file of this process${linuxOnly}`, async () => {
    const dir = await folder();
    // bash opens it without closing it on exec, so node inherits it; then it must not pass it on
    const child = resolve(import.meta.dirname, '../../../test/support/descriptors-child.ts');
    const script = `echo secret > ${dir}/kept; exec 200<${dir}/kept; exec "$0" ${child}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script, process.execPath]);
    expect(stdout).toContain('1 -> ');
    expect(stdout).not.toContain('kept');
  });
});

describe('a limit', () => {
  test('[FAULT-75] of output ends a program that never stops, and says so', async () => {
    const outcome = await run('', { argv: ['yes', 'no'], endAtBytes: 5_000_000, keepBytes: 1_000 });
    expect(outcome).toMatchObject({ ended: 'output_limit' });
    expect(outcome.totalBytes).toBeGreaterThan(5_000_000);
    expect(outcome.text).toContain(
      `[... ${outcome.cutBytes} of ${outcome.totalBytes} bytes are left out here ...]`,
    );
  });

  test('[FAULT-78] of time ends a program that waits, with the output so far', async () => {
    expect(await run('echo begun; sleep 1000', { timeoutMs: 1_000 })).toMatchObject({
      ended: 'timed_out',
      text: 'begun\n',
      exitCode: null,
    });
  });

  test('TERM comes first, so that a program can put away its things', async () => {
    const dir = await folder();
    const script = `trap 'echo away; touch ${dir}/done; exit 3' TERM; while :; do sleep 0.05; done`;
    const outcome = await run(script, { timeoutMs: 1_000 });
    expect(outcome).toMatchObject({ ended: 'timed_out', exitCode: 3 });
    expect(outcome.text).toContain('away\n');
    expect(await readFile(join(dir, 'done'), 'utf8')).toBe('');
  });

  test.skipIf(!onLinux)(`[FAULT-85] of processes is for the whole tree${linuxOnly}`, async () => {
    const seconds = uniqueSeconds();
    const script = `for i in 1 2 3 4 5 6 7 8 9; do sleep ${seconds} & done; wait`;
    const outcome = await run(script, { treeLimits: { memoryBytes: 2 ** 33, processes: 5 } });
    expect(outcome).toMatchObject({ ended: 'process_limit' });
    expect(runningWith(seconds)).toEqual([]);
  });

  test.skipIf(!onLinux)(`[FAULT-85] of memory is for the whole tree${linuxOnly}`, async () => {
    const one = `head -c 40000000 /dev/zero | tail -c 40000000 | (read x; sleep 1000)`;
    const outcome = await run(`(${one}) & (${one}) & wait`, {
      treeLimits: { memoryBytes: 60_000_000, processes: 100 },
    });
    expect(outcome).toMatchObject({ ended: 'memory_limit' });
  });

  test('a run that was stopped before it began starts nothing', async () => {
    const dir = await folder();
    expect(await run(`touch ${dir}/started`, { signal: AbortSignal.abort() })).toMatchObject({
      ended: 'aborted',
    });
    await expect(readFile(join(dir, 'started'))).rejects.toThrow('ENOENT');
  });
});

describe('a gate', () => {
  const gated = 'sleep 0.3; echo armed >&3; read -r word <&3 || exit 1; echo "$word, and ran"';
  // a supervisor gets no TERM, as a sandbox that is still being set up
  const behind: Partial<ProcessRun> = { descriptors: ['gate'], supervisor: true };

  test('opens for a program that nobody stopped', async () => {
    expect(await run(gated, behind)).toMatchObject({ text: 'go, and ran\n', ended: 'exited' });
  });

  test('stays closed where the time was over before it', async () => {
    const outcome = await run(gated, { ...behind, timeoutMs: 1 });
    expect(outcome).toMatchObject({ ended: 'timed_out' });
    expect(outcome.text).not.toContain('ran');
  });

  test('stays closed where a person stopped the program before it', async () => {
    const outcome = await run(gated, { ...behind, signal: AbortSignal.timeout(50) });
    expect(outcome).toMatchObject({ ended: 'aborted' });
    expect(outcome.text).not.toContain('ran');
  });
});

describe.skipIf(!onLinux)(`[FAULT-77] nothing is left of a program that${linuxOnly}`, () => {
  const cases: [string, (seconds: string) => string][] = [
    ['ignores TERM', (seconds) => `trap '' TERM; echo ready; while :; do sleep ${seconds}; done`],
    ['has children in the background', (seconds) => `sleep ${seconds} & sleep ${seconds} & echo ready; wait`],
    ['starts a session of its own', (seconds) => `setsid sleep ${seconds} & echo ready; wait`],
    [
      'forks twice and keeps the output open',
      (seconds) => `(setsid sh -c 'sleep ${seconds} & exit' &) ; echo ready; sleep ${seconds}`,
    ],
  ];

  test.each(cases)('%s, when it is stopped', async (_name, script) => {
    const seconds = uniqueSeconds();
    const controller = new AbortController();
    const onOutput = (): void => {
      expect(runningWith(seconds)).not.toEqual([]);
      controller.abort();
    };
    const outcome = await run(script(seconds), { signal: controller.signal, onOutput, timeoutMs: 600_000 });
    expect(outcome).toMatchObject({ ended: 'aborted', text: 'ready\n' });
    await expect.poll(() => runningWith(seconds)).toEqual([]);
  });

  test('ends by itself and leaves a daemon that keeps the output open', async () => {
    const seconds = uniqueSeconds();
    const outcome = await run(`setsid sleep ${seconds} & (setsid sh -c 'sleep ${seconds} &') & echo done`);
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0, text: 'done\n' });
    await expect.poll(() => runningWith(seconds)).toEqual([]);
  });
});

describe('[FAULT-75] an output that is too long to be kept is passed on', () => {
  /** Takes every chunk after `wait`. */
  function taker(wait: () => Promise<unknown> = () => Promise.resolve()) {
    const hash = createHash('sha256');
    const taken = { bytes: 0, atOnce: 0, most: 0 };
    const onLongOutput = async (chunk: Uint8Array): Promise<void> => {
      taken.atOnce += 1;
      taken.most = Math.max(taken.most, taken.atOnce);
      await wait();
      hash.update(chunk);
      taken.bytes += chunk.length;
      taken.atOnce -= 1;
    };
    return { taken, onLongOutput, digest: () => hash.digest('hex') };
  }

  test('whole, from its beginning', async () => {
    const { taken, onLongOutput, digest } = taker(() => setImmediate());
    const outcome = await run('seq 1 400000', { onLongOutput, keepBytes: 100_000 });
    const whole = Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(outcome).toMatchObject({ totalBytes: whole.length, ended: 'exited' });
    expect(outcome.cutBytes).toBeGreaterThan(whole.length - 100_001);
    expect(taken.bytes).toBe(whole.length);
    expect(digest()).toBe(createHash('sha256').update(whole).digest('hex'));
  });

  test('and not where all of it is kept', async () => {
    const { taken, onLongOutput } = taker();
    const outcome = await run('head -c 100000 /dev/zero', { onLongOutput, keepBytes: 100_000 });
    expect(outcome).toMatchObject({ totalBytes: 100_000, cutBytes: 0 });
    expect(taken.bytes).toBe(0);
  });

  test('while the program waits, so that nothing piles up; what is in the pipe at its end is not lost', async () => {
    // longer than the pipe is waited for where nobody is busy
    let left = 4;
    // a busy machine makes many small chunks
    const wait = () => delay(taken.bytes > 60_000 && left-- > 0 ? 1_200 : 0);
    const { taken, onLongOutput } = taker(wait);
    const outcome = await run('head -c 300000 /dev/zero | tr "\\0" x', { onLongOutput, keepBytes: 1_000 });
    expect(outcome).toMatchObject({ totalBytes: 300_000, ended: 'exited' });
    await expect.poll(() => taken.bytes, { timeout: 10_000 }).toBe(300_000);
    // what was kept, and the chunk that was too much, come together
    expect(taken.most).toBeLessThanOrEqual(2);
  });

  // the program ends: its parts fit into the pipe. At its end node reads one more of them, and the last one waits
  const parts = 'for i in 1 2 3; do head -c 2000 /dev/zero; sleep 0.3; done';

  test('a program that ended in time is not timed out by a slow taker, and gets no signal any more', async () => {
    const signals = vi.spyOn(process, 'kill');
    onTestFinished(() => signals.mockRestore());
    const { taken, onLongOutput } = taker(() => delay(4_000));
    const outcome = await run(parts, { onLongOutput, keepBytes: 1_000, timeoutMs: 3_000 });
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0, totalBytes: 6_000 });
    await expect.poll(() => taken.bytes, { timeout: 15_000 }).toBe(6_000);
    // to what it left in its group, when it ended
    expect(signals.mock.calls.map(([, signal]) => signal)).toEqual(['SIGKILL']);
  });

  test('a stop after the end of the program leaves its exit code, and says that output is missing', async () => {
    const controller = new AbortController();
    const onLongOutput = (): Promise<void> => {
      setTimeout(() => controller.abort(), 3_000);
      return new Promise(() => {});
    };
    const outcome = await run(`${parts}; exit 3`, {
      onLongOutput,
      keepBytes: 1_000,
      signal: controller.signal,
    });
    expect(outcome).toMatchObject({ ended: 'output_unread', exitCode: 3, signal: null });
  });

  test('and a taker that hangs does not keep a program from being stopped', async () => {
    const controller = new AbortController();
    const onLongOutput = (): Promise<void> => {
      controller.abort();
      return new Promise(() => {});
    };
    const outcome = await run('', {
      argv: ['yes'],
      onLongOutput,
      keepBytes: 1_000,
      signal: controller.signal,
      timeoutMs: 600_000,
    });
    expect(outcome).toMatchObject({ ended: 'aborted' });
  });
});

describe.skipIf(!onLinux)(`[FAULT-75] memory stays flat${linuxOnly}`, () => {
  const child = resolve(import.meta.dirname, '../../../test/support/flat-output-child.ts');
  async function measure(count: number, script: string) {
    const { stdout } = await promisify(execFile)(process.execPath, [child, String(count), script]);
    return JSON.parse(stdout) as { grownMiB: number; totals: { totalBytes: number; cutBytes: number }[] };
  }

  test('for 1 GB of output', { timeout: 180_000 }, async () => {
    const { grownMiB, totals } = await measure(
      1,
      'yes "a line of a log that never ends" | head -c 1000000000',
    );
    expect(totals[0]?.totalBytes).toBe(1_000_000_000);
    expect(totals[0]?.cutBytes).toBeGreaterThan(1_000_000_000 - 8 * 1024 ** 2);
    expect(grownMiB).toBeLessThan(150);
  });

  test('for eight outputs of 500 KB at once', { timeout: 180_000 }, async () => {
    const { grownMiB, totals } = await measure(8, 'head -c 500000 /dev/zero | tr "\\\\0" x');
    expect(totals.map(({ totalBytes, cutBytes }) => [totalBytes, cutBytes])).toEqual(
      Array(8).fill([500_000, 0]),
    );
    expect(grownMiB).toBeLessThan(80);
  });
});
