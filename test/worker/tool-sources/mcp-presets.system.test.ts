// The presets of MCP servers: what a configuration gets of one, what its tools may do, and its pins, against real servers.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readPins } from '../../../src/activities/mcp/mcp-pins.ts';
import { acceptMcpTools } from '../../../src/activities/mcp/mcp-tools.ts';
import { parseConfig } from '../../../src/config/config-file.ts';
import { presetNames, readPreset, withPreset } from '../../../src/worker/tool-sources/mcp-presets.ts';
import { collect, everything } from '../../support/mcp-servers.ts';
import {
  broughtCommand,
  getPresetServers,
  npmPresets,
  presetServersMissing,
} from '../../support/preset-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

const digest = 'a'.repeat(64);
const otherPin = { description: digest, input: digest, annotations: digest };

/** A preset of server-everything, with the pins that it has now. */
async function everythingPreset(pins: object = {}) {
  const folder = await temporaryFolder();
  const { pinsFile, pinNew } = await collect({ own: { ...everything(), tools: ['echo', 'get-sum'] } });
  await pinNew();
  const { own = {} } = await readPins(pinsFile);
  const preset = {
    description: 'Everything.',
    license: 'MIT',
    tested: 'here',
    command: everything().command,
    env: { FIXED: '1' },
    needs: { TOKEN: 'a token of it' },
    tools: ['echo', 'get-sum'],
    reads: ['echo'],
    pins: { ...own, ...pins },
  };
  await writeFile(join(folder, 'everything.yaml'), stringify(preset));
  return folder;
}

describe('a preset', () => {
  test('[SRC-45ab] gives command, tools and variables; what it knows to read is a read, the rest asks', async () => {
    const folder = await everythingPreset();
    const server = withPreset('all', { preset: 'everything', env: { TOKEN: 't' }, timeoutMs: 5_000 }, folder);
    expect(server).toMatchObject({ timeoutMs: 5_000, env: { FIXED: '1', TOKEN: 't' } });
    const { tools, servers } = await collect({ all: server });
    expect(tools.map(({ spec: { name, effect } }) => [name, effect])).toEqual([
      ['mcp__all__echo', 'read'],
      ['mcp__all__get-sum', 'once'],
    ]);
    const states = servers[0]?.tools.filter(({ isOffered }) => isOffered) ?? [];
    expect(states.map(({ state }) => state)).toEqual(['accepted', 'accepted']);
  });

  test('[SRC-45c] a tool that differs from the pin of the preset is refused until a person accepts it', async () => {
    const folder = await everythingPreset({ echo: otherPin });
    const server = withPreset('all', { preset: 'everything', env: { TOKEN: 't' } }, folder);
    const first = await collect({ all: server });
    expect(first.tools.map(({ spec }) => spec.name)).toEqual(['mcp__all__get-sum']);
    expect(first.warnings[0]).toMatch(/echo: its description and input schema and annotations changed/);
    const [state] = first.servers;
    if (state) await acceptMcpTools(state, first.pinsFile, 'echo');
    const second = await collect({ all: server }, { pinsFile: first.pinsFile });
    expect(second.tools).toHaveLength(2);
  });

  test('[SRC-45d] an unknown one, and a variable that it needs and does not get, are named', async () => {
    const folder = await everythingPreset();
    expect(() => withPreset('all', { preset: 'nothing' }, folder)).toThrow(
      'mcpServers.all.preset is "nothing": expected one of everything.',
    );
    expect(() => withPreset('all', { preset: 'everything' }, folder)).toThrow(
      'mcpServers.all.env has no TOKEN, which the preset everything needs: a token of it',
    );
    expect(() => parseConfig({ mcpServers: { all: { preset: '../x' } } }, 'it')).toThrow(
      'the name of a preset',
    );
  });
});

test.each(presetNames())(
  '[SRC-45e] the preset %s names one version, and each of its tools has a pin',
  async (name) => {
    const { command, tools, reads, pins } = readPreset(name);
    expect(command.join(' ')).toMatch(/(?:@|==)\d+\.\d+\.\d+\b/);
    expect(Object.keys(pins)).toEqual(tools);
    expect(reads.filter((tool) => !tools.includes(tool))).toEqual([]);
    expect(await readFile(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')).toContain(
      `\`${name}\``,
    );
  },
);

const reason = presetServersMissing ? ` (${presetServersMissing})` : '';
test.skipIf(reason !== '').each(npmPresets.map((each) => [each.name, each] as const))(
  `[SRC-45f] the server of the preset %s starts, and its tools are those that were pinned${reason}`,
  { timeout: 300_000 },
  async (name, preset) => {
    await getPresetServers();
    const kubeconfig = join(await temporaryFolder(), 'kubeconfig');
    await writeFile(
      kubeconfig,
      `{ apiVersion: v1, kind: Config, clusters: [{ name: a, cluster: { server: 'http://127.0.0.1:1' } }],
        users: [{ name: a, user: {} }], contexts: [{ name: a, context: { cluster: a, user: a } }], current-context: a }`,
    );
    const { needs, tools } = readPreset(name);
    const given = Object.fromEntries(Object.keys(needs).map((variable) => [variable, 'made-up']));
    const env = { ...given, ...(given['KUBECONFIG'] && { KUBECONFIG: kubeconfig }) };
    const bench = await collect({
      it: withPreset('it', { preset: name, env, command: broughtCommand(preset) }),
    });
    expect(bench.warnings).toEqual([]);
    expect(bench.tools.map(({ spec }) => spec.name).sort()).toEqual(
      tools.map((tool) => `mcp__it__${tool}`).sort(),
    );
  },
);
