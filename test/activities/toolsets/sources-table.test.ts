// The table of docs/sources.md and the size of a tool list with many sources.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { inputOf } from '@holdfast/sources/parameters';
import { parametersOf } from '@holdfast/sources/compare';
import { overInstances } from '../../../src/activities/toolsets/instances.ts';
import { defineTool, type RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { toDefinitions } from '@holdfast/vocabulary/tool-spec';
import { groupsOnDemand } from '../../../src/worker/tool-sources/groups-on-demand.ts';
import { readStarterSet } from '../../../src/worker/tool-sources/starter-toolsets.ts';
import { callCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { makeSourcesPage } from '../../../tools/reference/sources-page.ts';

const root = resolve(import.meta.dirname, '../../..');

test('[SRC-09a] docs/sources.md has what the files of the starter set say, and each says it', async () => {
  const toolsets = await readStarterSet();
  expect(await readFile(join(root, 'docs/sources.md'), 'utf8')).toBe(makeSourcesPage(toolsets));
  const silent = toolsets.filter(
    ({ tags, permissions, tried, checks }) => !tags || !permissions || !tried || !checks,
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('[SRC-72ab] a source without a real server is a preview in the table and in the list of tools', async () => {
  const toolsets = await readStarterSet();
  const page = await readFile(join(root, 'docs/sources.md'), 'utf8');
  const previews = toolsets.filter(({ tried }) => tried?.real === undefined).map(({ name }) => name);
  expect(previews).toContain('loki');
  const named = page.matchAll(/^\| `(\w+)` \*\*preview\*\*/gm);
  expect(new Set([...named].map(([, name]) => name))).toEqual(new Set(previews));
  const cwd = await temporaryFolder();
  const settings = { settings: { url: 'http://127.0.0.1:1' } };
  await writeFile(
    join(cwd, 'holdfast.config.json'),
    JSON.stringify({ toolsets: { loki: settings, victorialogs: settings }, model: 'scripted:x' }),
  );
  const { stdout } = await callCli(['tools'], { cwd });
  expect(stdout).toMatch(/^toolset:loki .*preview: nobody has run it against a real server yet$/m);
  expect(stdout).toMatch(/^toolset:victorialogs(?!.*preview)/m);
});

/** As an estimate counts them: four bytes of a definition are a token. */
function tokensOf(tools: readonly RegisteredTool[]): number {
  return Math.round(JSON.stringify(toDefinitions(tools.map(({ spec }) => spec))).length / 4);
}

/** An agent of a shop on Kubernetes. */
const twelve =
  'kubernetes prometheus loki tempo postgresql redis elasticsearch grafana argocd github pagerduty sentry'.split(
    ' ',
  );

test('[SRC-09b] the tools of twelve sources, with two instances each, take fewer than 6,000 tokens', async () => {
  const toolsets = (await readStarterSet()).filter(({ name }) => twelve.includes(name));
  expect(toolsets.map(({ name }) => name)).toEqual(twelve.toSorted());
  const tools = toolsets.flatMap((toolset) =>
    toolset.tools
      .filter(({ change, rowsAre }) => change === undefined && rowsAre === undefined)
      .map((tool) => {
        const made = defineTool({
          name: tool.name,
          description: tool.description,
          input: inputOf(parametersOf(tool)),
          source: `toolset:${toolset.name}`,
          run: () => ({ text: '' }),
        });
        return overInstances(['eu', 'us'].map((name) => ({ name, instance: {}, tool: made })));
      }),
  );
  expect(tools.length).toBeGreaterThan(40);
  expect(tokensOf(tools)).toBeLessThan(6_000);
  // by groups, an agent begins with one tool that loads them
  const groups = groupsOnDemand(new Map(tools.map((tool) => [tool.spec.name, tool])));
  expect(Object.keys(groups)).toHaveLength(12);
});
