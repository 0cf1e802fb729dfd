// holdfast tool: one call by hand, as an agent would make it. No server and no model run for it.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli, type CliSetting, hasTerminal, startOnTerminal } from '../support/cli.ts';
import { startHttpServer } from '../support/http-server.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

async function folder(more: object = {}): Promise<CliSetting> {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'logs'));
  await writeFile(join(cwd, 'logs', 'a.log'), 'pool timeout password=hunter2hunter2\n');
  const policy = [
    { tool: 'ls', decision: 'ask', reason: 'Ask me.' },
    { tool: 'read', path: '*/secret*', decision: 'deny', reason: 'No secrets.' },
  ];
  const agents = { night: { instructions: 'x', tools: ['read'] } };
  const config = { files: { roots: ['logs'] }, policy, agents, ...more };
  await writeFile(join(cwd, 'holdfast.config.json'), JSON.stringify(config));
  return { cwd, environment: { TEMPORAL_ADDRESS: '127.0.0.1:1' } };
}

const path = (text: string): string => JSON.stringify({ path: text });

test('[CLI-24c] a call runs without server and model, its output is redacted, and nothing of it is kept', async () => {
  const setting = await folder();
  const { code, stdout, stderr } = await callCli(['tool', 'read', path('a.log')], setting);
  expect([code, stdout, stderr]).toEqual([0, 'pool timeout password=[redacted:password]\n', '']);
  expect(await readdir(setting.cwd)).toEqual(['holdfast.config.json', 'logs']);
  const failed = await callCli(['tool', 'read', path('gone'), '--json'], setting);
  expect([failed.code, failed.lines]).toEqual([
    10,
    [{ type: 'tool_result', tool: 'read', isError: true, text: 'There is no such file or folder.' }],
  ]);
});

test('[CLI-24c] a tool of a source that is loaded on demand is called all the same', async () => {
  const { url } = await startHttpServer((_request, response) => void response.end('{"data":["app","job"]}'));
  const names = ['elasticsearch', 'grafana', 'jaeger', 'rabbitmq', 'victorialogs'];
  const toolsets = { ...Object.fromEntries(names.map((name) => [name, {}])), loki: { settings: { url } } };
  const { code, stdout } = await callCli(['tool', 'loki_labels'], await folder({ toolsets }));
  expect([code, stdout]).toEqual([0, expect.stringContaining('app, job')]);
});

test('[SRC-07a] the link of a call is beside its words in JSON', async () => {
  const { url } = await startHttpServer((_request, response) => void response.end('["app"]'));
  const setting = await folder({ toolsets: { './own.yaml': {} } });
  await writeFile(
    join(setting.cwd, 'own.yaml'),
    `name: own\ndescription: x\ntools:\n  - name: own_list\n    description: x\n    effect: read\n    http: { url: '${url}/x' }\n    link: { url: '${url}/ui' }\n`,
  );
  const { lines } = await callCli(['tool', 'own_list', '--json'], setting);
  expect(lines).toMatchObject([{ text: '["app"]', details: { link: `${url}/ui` } }]);
});

test('[CLI-24d] the policy decides: what is denied, unknown or of another agent does not run, and what asks needs a person or --yes', async () => {
  const setting = await folder();
  const denied = await callCli(['tool', 'read', path('secret.log')], setting);
  expect([denied.code, denied.stdout]).toEqual([
    7,
    expect.stringContaining('No secrets.\nIt would be denied.'),
  ]);
  const other = await callCli(['tool', 'ls', path('.'), '--agent', 'night'], setting);
  expect([other.code, other.stdout]).toEqual([7, expect.stringContaining('agent night does not name it')]);
  const asked = await callCli(['tool', 'ls', path('.')], setting);
  expect([asked.code, asked.stdout]).toEqual([8, expect.stringContaining('A person would be asked.')]);
  const approved = await callCli(['tool', 'ls', path('.'), '--yes'], setting);
  expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining('a.log')]);
});

test('[CLI-30h] an unknown field is refused with those that the tool has', async () => {
  const { code, stdout } = await callCli(['tool', 'read', '{"pat":1}'], await folder());
  expect([code, stdout]).toEqual([
    7,
    expect.stringContaining('unknown field (expected path, offset, limit, byte)'),
  ]);
});

test('[CLI-30f] where the mode closes a tool, the refusal names the mode, also for a tool of a group', async () => {
  const agents = { night: { instructions: 'x', tools: ['read'], toolGroups: ['more'] } };
  const files = { roots: ['logs'], writable: ['logs'] };
  const setting = await folder({ agents, files, toolGroups: { more: ['edit'] } });
  const { code, stdout } = await callCli(
    ['tool', 'edit', '{}', '--agent', 'night', '--mode', 'observe'],
    setting,
  );
  expect([code, stdout]).toEqual([
    7,
    expect.stringContaining('agent night does not have it in mode observe'),
  ]);
});

test.skipIf(!hasTerminal)(
  '[CLI-24d] on a terminal the person is asked, and a no keeps the call from running',
  async () => {
    const setting = await folder();
    const cli = startOnTerminal(['tool', 'ls', path('.')], setting);
    await cli.until(/Run exactly this\?/);
    cli.child.stdin.write('n\n');
    const { code, stdout } = await cli.ended;
    expect(code).toBe(10);
    expect(stdout).not.toContain('a.log');
  },
);
