// The modes of a session from the command line: given, refused, and shown.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../support/cli.ts';
import { changeConfig, makeCliFolder } from '../support/cli-folder.ts';

test('[MODE-04d] run takes the modes, and a session off the record leaves nothing in the store', async () => {
  const folder = await makeCliFolder('modes');
  try {
    const options = ['--mode', 'observe', '--off-the-record'];
    const run = await callCli(['run', '--session', 'secret-1', ...options, 'why?'], folder);
    expect(run.stdout).toContain('The log says: pool timeout after 512 ms.');
    expect(`${run.stdout}${run.stderr}`).toContain('history on the Temporal server is not encrypted');
    expect(run.code).toBe(0);
    const stored = await readdir(join(folder.cwd, '.holdfast', 'artifacts', 'sessions')).catch(() => []);
    expect(stored).toEqual([]);
    const open = await callCli(['run', '--session', 'open-1', '--dry-run', 'why?'], folder);
    expect(open.code).toBe(0);
    expect(await readdir(join(folder.cwd, '.holdfast', 'artifacts', 'sessions'))).toContain('open-1');
  } finally {
    await folder.remove();
  }
});

test('[CLI-22] a start with a mode above maxMode is refused before anything is started, as is one that is no mode', async () => {
  const folder = await makeCliFolder('max-mode');
  try {
    await changeConfig(folder, (config) => ({ ...config, maxMode: 'ask' }));
    const refused = await callCli(['run', '--mode', 'act', 'why?'], folder);
    expect(refused.stderr).toContain(
      'Mode "act" is more than this configuration allows: expected observe or ask.',
    );
    expect(refused.code).toBe(2);
    const unknown = await callCli(['run', '--mode', 'god', 'why?'], folder);
    expect(unknown.stderr).toMatch(/Allowed choices are observe, ask, act/);
    expect(unknown.code).toBe(2);
  } finally {
    await folder.remove();
  }
});
