// Where the data of a project lies: beside its config, whatever folder a command is typed in.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, loadConfigParts, resolveConfig } from '../../src/config/config.ts';
import { callCli } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function project(text = '{}'): Promise<{ cwd: string; configFile: string }> {
  const cwd = await temporaryFolder();
  const configFile = join('ops', 'holdfast.config.json');
  await mkdir(join(cwd, 'ops'));
  await writeFile(join(cwd, configFile), text);
  return { cwd, configFile };
}

test.each(['option', 'variable'])(
  '[CLI-25a] the data lies beside the config that was named by %s, whole, in part or unread, and the queue is that of its project',
  async (by) => {
    const { cwd, configFile } = await project();
    const named =
      by === 'option' ? { environment: {}, configFile } : { environment: { HOLDFAST_CONFIG: configFile } };
    const input = { cwd, ...named };
    const configs = [
      await loadConfig(input),
      (await loadConfigParts(input)).config,
      resolveConfig(input),
      await loadConfig({ cwd: join(cwd, 'ops'), environment: {} }),
    ];
    const dir = join(cwd, 'ops', '.holdfast');
    for (const config of configs) {
      expect(config).toMatchObject({ dir, artifactsDir: join(dir, 'artifacts') });
      expect(config.taskQueue).toBe(configs[0]?.taskQueue);
      expect(config.closedPaths).toContain(dir);
    }
    const elsewhere = { ...input, environment: { ...input.environment, HOLDFAST_DIR: 'data' } };
    expect((await loadConfig(elsewhere)).dir).toBe(join(cwd, 'data'));
  },
);

test('[CLI-25a] a config with a mistake has its data beside it, too', async () => {
  const { cwd, configFile } = await project('{ "nonsense": 1, "files": {');
  const { config, mistake } = await loadConfigParts({ cwd, configFile, environment: {} });
  expect(mistake).toContain('does not parse');
  expect(config.dir).toBe(join(cwd, 'ops', '.holdfast'));
});

test.each([[['agents']], [['init', '--yes']], [['result', 'x']], [['doctor']]])(
  '[CLI-25b] %s: two config files in a folder are an error that names both, unless one is named',
  async (args) => {
    const cwd = await temporaryFolder();
    for (const name of ['holdfast.config.yaml', 'holdfast.config.json'])
      await writeFile(join(cwd, name), '{}');
    const setting = { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
    const { code, stdout, stderr } = await callCli(args, setting);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(
      /Two config files in \S+: holdfast\.config\.yaml and holdfast\.config\.json: expected one\./,
    );
    if (args[0] !== 'agents') return;
    const named = await callCli(['agents', '--config', 'holdfast.config.json'], setting);
    expect(named.stderr).not.toContain('Two config files');
  },
);
