// Every option of an agent is used: one that is shipped, or one of an example, sets it.
import { globSync } from 'node:fs';
import { isRecord } from '@holdfast/base/json';
import { agentOptions, type OptionTable } from '@holdfast/vocabulary/agent-spec';
import { expect, test } from 'vitest';
import { packageAgents } from '../../src/config/agent-files.ts';
import { loadConfigFile } from '../../src/config/config-file.ts';
import { projectRoot } from '../support/project-root.ts';

/** Such as `loop.maxTurns`. */
function pathsOf(table: OptionTable, before = ''): string[] {
  return Object.entries(table).flatMap(([name, kind]) =>
    kind.is === 'group' ? pathsOf(kind.fields, `${before}${name}.`) : [`${before}${name}`],
  );
}

/** The options that a spec sets; a text in place of a group sets its short one. */
function setBy(spec: unknown, table: OptionTable = agentOptions, before = ''): string[] {
  if (!isRecord(spec)) return [];
  return Object.entries(table).flatMap(([name, kind]) => {
    const value = spec[name];
    if (value === undefined) return [];
    if (kind.is !== 'group') return [`${before}${name}`];
    return isRecord(value)
      ? setBy(value, kind.fields, `${before}${name}.`)
      : [`${before}${name}.${kind.short}`];
  });
}

test('each option of an agent is set by an agent that is shipped, or by an example', async () => {
  const configs = await Promise.all(
    globSync('examples/**/holdfast.config.*', { cwd: projectRoot }).map((file) =>
      loadConfigFile(projectRoot, file),
    ),
  );
  const { files } = await packageAgents();
  const specs = [
    ...files.map(({ spec }) => spec),
    ...configs.flatMap((loaded) => Object.values(loaded?.config.agents ?? {})),
  ];
  const used = new Set(specs.flatMap((spec) => setBy(spec)));
  expect(pathsOf(agentOptions).filter((path) => !used.has(path))).toEqual([]);
});
