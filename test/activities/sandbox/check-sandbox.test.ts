// The probe is run where the sandbox works, and inside a sandbox, where it cannot.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeSandbox } from '@holdfast/processes/sandbox/check-sandbox';
import { createSandbox } from '@holdfast/processes/sandbox/sandbox';
import { runInside, sandboxCheck, sandboxMissing } from '../../support/sandbox.ts';

const projectRoot = resolve(import.meta.dirname, '../../..');

/** The probe, in a process inside a sandbox: user namespaces are off there. */
async function probeInside(hidden: string[] = []) {
  const probe = `import('${projectRoot}/packages/processes/src/sandbox/check-sandbox.ts').then(async (check) => console.log(JSON.stringify(await check.probeSandbox())))`;
  const { text } = await runInside(
    '',
    { open: [projectRoot], hidden, unixSockets: true },
    { argv: [process.execPath, '-e', probe] },
  );
  return JSON.parse(text) as Awaited<ReturnType<typeof probeSandbox>>;
}

describe.skipIf(!sandboxCheck.ok)(`the probe${sandboxMissing}`, () => {
  test('runs a program, and says which bubblewrap did', async () => {
    expect(await probeSandbox()).toMatchObject({ ok: true, version: expect.stringMatching(/^\d+\.\d+/) });
  });

  test('says why the kernel refuses, and what to do', async () => {
    const found = await probeInside();
    expect(found).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^The sandbox could not be set up, nothing was run: /),
      advice: expect.stringMatching(/./),
    });
  });

  test('says how to get bubblewrap', async () => {
    expect(await probeInside(['/usr/bin/bwrap'])).toMatchObject({
      ok: false,
      advice: expect.stringContaining('apt-get install bubblewrap'),
    });
  });

  test('says which of its other programs is missing', async () => {
    expect(await probeInside(['/usr/bin/nice'])).toMatchObject({
      ok: false,
      reason: expect.stringContaining('nice'),
      advice: expect.stringContaining('util-linux'),
    });
  });
});

describe.skipIf(!sandboxCheck.ok)(`a sandbox${sandboxMissing}`, () => {
  const run = { argv: ['true'], cwd: '/', signal: new AbortController().signal, timeoutMs: 20_000 };

  test('runs nothing in a folder that is hidden', async () => {
    await expect(runInside('true', {}, { cwd: '/run' })).rejects.toThrow('/run is hidden inside the sandbox');
    await expect(runInside('true', {}, { cwd: '/no/such' })).rejects.toThrow('/no/such does not exist');
  });

  test.each(['bwrap: nothing was run', 'prlimit: failed to execute it', 'sh: 1: exec: it: not found'])(
    '[FAULT-102] whose program ends with 1 and prints "%s" has run it, and all that it printed is there',
    async (line) => {
      const outcome = await runInside(`echo '${line}'; echo and more; exit 1`);
      expect(outcome).toMatchObject({ begun: true, exitCode: 1, text: `${line}\nand more\n` });
    },
  );

  test('[FAULT-102] that cannot be set up says why, whichever of its own programs is missing', async () => {
    await expect(runInside('echo it ran', { hidden: ['/usr/bin/prlimit'] })).rejects.toThrow(
      /^The sandbox could not be set up, nothing was run: .*prlimit/,
    );
    const noPrograms = { PATH: '/no/such/folder' };
    await expect(runInside('echo it ran', { environment: noPrograms })).rejects.toThrow(
      /nothing was run: .*nice/,
    );
    await expect(
      runInside('echo it ran', { kind: 'dangerously-off', environment: noPrograms }),
    ).rejects.toThrow(/^The limits of the program could not be set up, nothing was run: .*nice/);
  });

  test.each([
    ['/', 'cannot be writable'],
    ['/run', 'cannot be writable'],
    ['/proc/sys', 'cannot be writable'],
    ['work', 'absolute paths'],
    ['/no/such/folder', 'does not exist'],
    ['/etc/passwd', 'is no folder'],
  ])('refuses %s as a writable folder', async (path, reason) => {
    await expect(createSandbox({ kind: 'bubblewrap', writable: [path] }).run(run)).rejects.toThrow(reason);
  });
});

test('switched off, a program runs as any other, in the same limits and with the same environment', async () => {
  const sandbox = createSandbox({ kind: 'dangerously-off' });
  const { text, exitCode } = await sandbox.run({
    argv: ['/bin/sh', '-c', 'echo $TERM; ulimit -c'],
    cwd: '/',
    signal: new AbortController().signal,
    timeoutMs: 20_000,
  });
  expect({ text, exitCode }).toEqual({ text: 'dumb\n0\n', exitCode: 0 });
});

test('without bubblewrap a program has a home of its own: settings that others planted in /tmp are not obeyed', async () => {
  const sandbox = createSandbox({ kind: 'dangerously-off' });
  const run = async (command: string): Promise<string> => {
    const argv = ['/bin/sh', '-c', command];
    const signal = new AbortController().signal;
    return (await sandbox.run({ argv, cwd: '/', signal, timeoutMs: 10_000 })).text.trim();
  };
  const [first, second] = [await run('stat -c "%a %n" "$HOME"; ls -A "$HOME"'), await run('echo "$HOME"')];
  expect(first).toMatch(/^700 \/.*holdfast-home-\w+$/);
  expect(first).not.toContain(second);
  expect(existsSync(second)).toBe(false);
});
