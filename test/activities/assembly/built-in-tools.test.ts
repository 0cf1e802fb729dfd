import { expect, test } from 'vitest';
import type { ShellConfig } from '../../../src/config/schema/shell.schema.ts';
import { shellSettings } from '../../support/shell.ts';
import { createBuiltInTools } from '../../../src/activities/assembly/built-in-tools.ts';

const names = (roots: string[], httpAllow: string[], writable: string[] = []): string[] =>
  createBuiltInTools({ roots, writable, httpAllow }).map((tool) => tool.spec.name);

const always = ['read_artifact', 'report', 'pin_finding', 'ask_human', 'update_plan', 'hypotheses'];
const reading = ['read', 'ls', 'find', 'grep'];

test('[TOOL-16ab] tools of files and HTTP only where the configuration opens something to them', () => {
  expect(names([], [])).toEqual(always);
  expect(names(['/tmp'], [])).toEqual([...reading, ...always]);
  expect(names(['/tmp'], [], ['/tmp/conf'])).toEqual([...reading, 'write', 'edit', ...always]);
  expect(names([], ['shop:8080'])).toEqual(['http_get', ...always]);
});

test('[TOOL-16b] bash only where the configuration has a shell; within another access it reaches what both do', () => {
  const shell = shellSettings({ changes: 'host', network: true, writable: ['/srv', '/opt'] });
  const bashWithin = (frozen: ShellConfig | undefined) => {
    const within = { roots: [], hosts: [], ...(frozen && { shell: shellSettings(frozen) }) };
    const tools = createBuiltInTools({ roots: [], httpAllow: [], shell, within });
    return tools.find(({ spec }) => spec.name === 'bash')?.spec;
  };
  expect(createBuiltInTools({ roots: [], httpAllow: [], shell }).map(({ spec }) => spec.name)).toContain(
    'bash',
  );
  expect(bashWithin({ writable: ['/srv'] })?.description).toMatch(/read-only but for \/srv, .*no network/);
  expect(bashWithin({ writable: ['/srv'] })?.description).not.toContain('on the host itself');
  // of a run that began without a shell
  expect(bashWithin(undefined)).toMatchObject({ effect: 'read' });
});

/** A tool that looks at files or the network gives up sooner than the default of a minute. */
// oxfmt-ignore
const timeouts: Record<string, number> = {
  read: 30_000, ls: 15_000, find: 30_000, grep: 30_000, http_get: 30_000,
  write: 30_000, edit: 30_000,
  read_artifact: 30_000, report: 180_000, pin_finding: 1_000, ask_human: 1_000, update_plan: 1_000, hypotheses: 1_000,
};

const changing = ['write', 'edit'];

test('[TOOL-10d] [TOOL-16c] all but write and edit only read, those run alone; all end in time, and describe every argument list as an object', () => {
  for (const { spec } of createBuiltInTools({
    roots: ['/tmp'],
    writable: ['/tmp'],
    httpAllow: ['shop:8080'],
  })) {
    const changes = changing.includes(spec.name);
    expect(spec.effect, spec.name).toBe(changes ? 'idempotent' : 'read');
    const other = spec.name === 'report' ? 'last' : undefined;
    expect(spec.executionMode, spec.name).toBe(changes ? 'sequential' : other);
    expect(spec.timeoutMs, spec.name).toBe(timeouts[spec.name]);
    expect(spec.parameters, spec.name).toMatchObject({ type: 'object', additionalProperties: false });
    expect(spec.description.length, spec.name).toBeGreaterThan(80);
    const properties = Object.keys(Object(spec.parameters['properties']));
    expect(properties, spec.name).toEqual(expect.arrayContaining(spec.summaryArguments ?? []));
  }
});
