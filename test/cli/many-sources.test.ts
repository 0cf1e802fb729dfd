// A config with so many sources that the investigator loads their tools when it needs them: commands that inspect it see
// what a worker has. Nothing listens at any address.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliSetting } from '../support/cli.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const sources = ['elasticsearch', 'grafana', 'jaeger', 'loki', 'rabbitmq', 'victorialogs'];

const agents = {
  packed: { instructions: 'x', tools: [], toolGroups: ['loki'] },
  remote: { instructions: 'x', tools: [], hosts: ['web-1'] },
};

async function folder(): Promise<CliSetting> {
  const cwd = await temporaryFolder();
  const toolsets = Object.fromEntries(sources.map((name) => [name, {}]));
  const hosts = { 'web-1': {} };
  await writeFile(join(cwd, 'script.json'), JSON.stringify({ name: 's', steps: [{ id: 'a', text: 'x' }] }));
  const config = { script: 'script.json', toolsets, hosts, agents };
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
}

test('[CLI-24a] prompt, agents prompt and policy explain have the groups and hosts that a worker has', async () => {
  const setting = await folder();
  for (const args of [
    ['prompt', 'investigator'],
    ['agents', 'prompt', 'investigator', '--mode', 'observe'],
    ['agents', 'prompt', 'packed'],
    ['agents', 'prompt', 'remote'],
  ]) {
    const { code, lines, stderr } = await callCli([...args, '--json'], setting);
    expect([code, stderr]).toEqual([0, '']);
    const names = ((lines[0]?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
    expect(names.includes('load_tools')).toBe(!args.includes('remote'));
  }
  const agentsOf = [[], ['--agent', 'packed']];
  for (const agent of agentsOf) {
    const explained = await callCli(['policy', 'explain', 'loki_labels', '{}', ...agent], setting);
    expect([explained.code, explained.stderr]).toEqual([0, '']);
    expect(explained.stdout).toContain('The policy lets it run;');
  }
  const remote = await callCli(['policy', 'explain', 'loki_labels', '{}', '--agent', 'remote'], setting);
  expect(remote.stdout).toContain('agent remote does not name it among its tools');
});

test('[CLI-24b] tools says which group is loaded on demand, agents how many tools that are, and doctor names the groups', async () => {
  const setting = await folder();
  const { stdout } = await callCli(['tools'], setting);
  for (const name of sources)
    expect(stdout).toContain(`toolset:${name}  ready, loaded on demand (group ${name})`);
  expect(stdout).not.toContain('not for investigator');
  const packed = await callCli(['tools', '--agent', 'packed'], setting);
  expect(packed.stdout).toContain('ready, loaded on demand (group loki)');
  expect(packed.stdout).toContain('ready, not for packed');
  const listed = await callCli(['agents'], setting);
  expect(listed.stdout).toMatch(/investigator \(default\).*\n.* tools and 6 groups on demand,/);
  const doctor = await callCli(['doctor'], setting);
  expect(doctor.stdout).toMatch(
    /investigator loads the tools of 6 groups when it needs them: elasticsearch, grafana, jaeger, loki, rabbitmq, victorialogs/,
  );
});
