// The tools of all hosts as one list, and the place where a call runs.
import { TimeoutFailure } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import type { DescribedTool, HostAnswers, HostDescription } from '@holdfast/vocabulary/hosts';
import { describeHostFailure } from '../../../src/workflows/session/host-calls.ts';
import type { ToolSpec } from '@holdfast/vocabulary/tool-spec';
import {
  hostQueue,
  hostsOf,
  isHostName,
  isOnHostsOnly,
  mergeHosts,
  readCallPlace,
} from '../../../src/core/tools/hosts.ts';
import { noWorker, toHostAnswers } from '../../../src/core/tools/host-answers.ts';

function spec(name: string, properties: object = { path: { type: 'string' } }): ToolSpec {
  const parameters = { type: 'object', properties: { ...properties }, required: ['path'] };
  return { name, description: `${name} of a test`, parameters, effect: 'read', timeoutMs: 1_000 };
}

function tool(name: string, digest = `${name}-1`, more: Partial<DescribedTool> = {}): DescribedTool {
  return { spec: spec(name), digest, ...more };
}

/** What hosts say, by their names; a text is why one is missing. */
function answers(said: Record<string, DescribedTool[] | string>): HostAnswers {
  return toHostAnswers(
    Object.entries(said).map(([name, tools]) => ({
      name,
      taskQueue: hostQueue('ops', name),
      said: typeof tools === 'string' ? { missing: tools } : { tools },
    })),
  );
}

const schemaOf = ({ tools }: { tools: ToolSpec[] }, name: string) =>
  tools.find((each) => each.name === name)?.parameters;

test('a host has a queue of its own beside that of the sessions, and a name that can be one', () => {
  expect(hostQueue('ops', 'web-1')).toBe('ops.host.web-1');
  expect(['web-1', 'db.eu', '1'].every(isHostName)).toBe(true);
  expect(['', 'Web', '-a', 'a b', 'a/b', 'x'.repeat(64)].some(isHostName)).toBe(false);
});

test('an agent works on the hosts that its patterns name, in the order of the configuration', () => {
  const hosts = [{ name: 'web-2' }, { name: 'db-1' }, { name: 'web-1' }];
  expect(hostsOf(hosts, ['web-*'])).toEqual([{ name: 'web-2' }, { name: 'web-1' }]);
  expect(hostsOf(hosts, ['*'])).toHaveLength(3);
  expect(hostsOf(hosts, undefined)).toEqual([]);
});

describe('one list of tools', () => {
  test('a tool of several hosts is there once, with a required choice of those that offer it', () => {
    const merged = mergeHosts(
      [],
      answers({ 'web-1': [tool('read'), tool('grep')], 'web-2': [tool('read')] }),
    );
    expect(merged.tools.map(({ name }) => name)).toEqual(['grep', 'read']);
    expect(schemaOf(merged, 'read')).toMatchObject({
      properties: { on_host: { enum: ['web-1', 'web-2'] }, path: { type: 'string' } },
      required: ['on_host', 'path'],
    });
    expect(schemaOf(merged, 'grep')).toMatchObject({ properties: { on_host: { enum: ['web-1'] } } });
    expect(merged.hosts.map(({ name, tools }) => [name, tools])).toEqual([
      ['web-1', ['read', 'grep']],
      ['web-2', ['read']],
    ]);
    expect(merged.warnings).toEqual([]);
  });

  test('of different tools of one name the one of most hosts is listed, and a warning names the other hosts', () => {
    const merged = mergeHosts(
      [],
      answers({ old: [tool('read', 'other')], 'web-1': [tool('read')], 'web-2': [tool('read')] }),
    );
    expect(schemaOf(merged, 'read')).toMatchObject({ properties: { on_host: { enum: ['web-1', 'web-2'] } } });
    expect(merged.hosts[0]).toMatchObject({ name: 'old', tools: [] });
    expect(merged.warnings).toEqual([
      'The tool read cannot be called on old: it has other arguments or another effect there than on web-1, web-2.',
    ]);
  });

  test("a tool of the session's own workers keeps its meaning: the host may be left out", () => {
    const own = [
      { spec: spec('read'), digest: 'read-1' },
      { spec: spec('own'), digest: 'own-1' },
    ];
    const merged = mergeHosts(own, answers({ 'web-1': [tool('read')], 'web-2': [tool('read', 'other')] }));
    expect(schemaOf(merged, 'read')).toMatchObject({
      properties: { on_host: { enum: ['web-1'] } },
      required: ['path'],
    });
    expect(schemaOf(merged, 'own')).toEqual(spec('own').parameters);
    expect(merged.warnings[0]).toContain("than on the session's own workers");
    expect(merged.tools.map((each) => [each.name, isOnHostsOnly(merged, each)])).toEqual([
      ['read', false],
      ['own', false],
    ]);
  });

  test('a host that is missing is named in a warning and offers nothing', () => {
    const merged = mergeHosts([], answers({ 'web-1': [tool('read')], 'db-1': noWorker }));
    expect(merged.hosts[1]).toEqual({
      name: 'db-1',
      taskQueue: 'ops.host.db-1',
      tools: [],
      missing: noWorker,
    });
    expect(merged.warnings).toEqual([
      'Host db-1 is not there: no worker serves it. Nothing can be looked at or changed on it in this run.',
    ]);
  });

  test('a tool with an argument of that name, or that the agent may not have, is not listed', () => {
    const taken = { spec: spec('ssh', { on_host: { type: 'string' } }), digest: 'ssh-1' };
    const merged = mergeHosts(
      [],
      answers({ 'web-1': [taken, tool('write')] }),
      ({ name }) => name !== 'write',
    );
    expect(merged.tools).toEqual([]);
    expect(merged.hosts[0]?.tools).toEqual([]);
    expect(merged.warnings).toEqual([
      'The tool ssh cannot be called on hosts: it has an argument on_host of its own.',
    ]);
  });

  test('equal specs are sent once; hosts whose tools do not fit any more are missing', () => {
    const big = (name: string): HostDescription['tools'] => [
      { spec: { ...spec(name), description: 'x'.repeat(100_000) }, digest: name },
    ];
    const { hosts, specs } = answers({ a: big('one'), b: big('one'), c: big('two') });
    expect(Object.keys(specs)).toEqual(['one']);
    expect(hosts.map((host) => 'tools' in host)).toEqual([true, true, false]);
    expect(hosts[2]).toMatchObject({ missing: expect.stringContaining('do not fit') });
  });
});

describe('the place of a call', () => {
  const merged = mergeHosts(
    [{ spec: spec('local'), digest: 'local-1' }],
    answers({
      'web-1': [tool('read'), tool('sh', 'sh-1', { judged: true })],
      'web-2': [tool('read')],
      'db-1': noWorker,
    }),
  );

  test('is the host that it names; the tool gets the other arguments', () => {
    expect(readCallPlace(merged, 'read', { on_host: 'web-2', path: 'x' })).toMatchObject({
      type: 'host',
      args: { path: 'x' },
      host: { name: 'web-2', taskQueue: 'ops.host.web-2' },
    });
    expect(merged.hosts[0]?.judged).toEqual(['sh']);
  });

  test('is refused at once where nothing runs there, or where the host has no such tool', () => {
    const reasonOf = (name: string, host: string) => {
      const place = readCallPlace(merged, name, { on_host: host, path: 'x' });
      return place.type === 'refused' ? place.reason : place.type;
    };
    expect(reasonOf('read', 'db-1')).toBe('Not run: no worker serves host db-1. Nothing was changed.');
    expect(reasonOf('sh', 'web-2')).toBe(
      'Not run: host web-2 has no tool sh. It is there on web-1. Nothing was changed.',
    );
    // never on another machine than the one that was meant
    expect(reasonOf('local', 'web-1')).toContain('Not run: host web-1 has no tool local.');
    expect(readCallPlace(merged, 'local', { path: 'x' })).toEqual({ type: 'here' });
  });
});

test.each([
  ['read', 'no result.'],
  ['idempotent', 'no result. It may have taken effect: verify before you repeat it.'],
] as const)('[WORKER-09c] a %s call whose host is gone after it began: %s', (effect, end) => {
  const notStarted = new TimeoutFailure('gone', undefined, 'SCHEDULE_TO_START');
  expect(describeHostFailure(notStarted, effect, 'web-1')?.text).toMatch(
    /^Not run: no worker serves host web-1/,
  );
  notStarted.failure = { cause: { message: 'the attempt before' } };
  expect(describeHostFailure(notStarted, effect, 'web-1')).toEqual({
    text: `The worker of host web-1 was lost while the tool ran, and none serves it now: ${end}`,
    outcome: 'unknown',
  });
});
