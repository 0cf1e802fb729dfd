// The tool create_schedule before it is run: which calls there are, and who decides over them.
import { describe, expect, test } from 'vitest';
import { createBuiltInTools, offBuiltIns } from '../../../src/activities/assembly/built-in-tools.ts';
import { createDescribeHost } from '../../../src/activities/hosts/describe-host.ts';
import { judgeCall } from '../../../src/activities/tools/judge-call.ts';
import { createScheduleTool } from '../../../src/activities/built-in/schedule/create-schedule.ts';
import type { Json } from '@holdfast/base/json';
import type { AgentMode } from '@holdfast/vocabulary/tool-spec';

const tool = createScheduleTool();
const dayMs = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();
const asked = { name: 'morning', task: 'Look at the disks.', at: ['07:00'], until: inDays(30) };

test('[SCHED-06a] it is off unless the config turns it on, and no tool of a host', async () => {
  const names = (schedules: boolean) =>
    createBuiltInTools({ roots: [], httpAllow: [], schedules }).map(({ spec }) => spec.name);
  expect(names(true)).toContain('create_schedule');
  expect(names(false)).not.toContain('create_schedule');
  expect(offBuiltIns({ roots: [], httpAllow: [] }).get('create_schedule')).toBe('schedules.tool');
  const host = createDescribeHost({ tools: new Map([[tool.spec.name, tool]]), policy: [] });
  expect(await host({ sessionId: 's', runId: 'r', host: 'h' })).toEqual({ tools: [] });
});

describe('[SCHED-06b] a person decides over every call', () => {
  const allow = [{ tool: '*', decision: 'allow' as const }];
  test.each<[AgentMode, string]>([
    ['act', 'ask'],
    ['ask', 'ask'],
    ['observe', 'deny'],
  ])('in mode %s', async (mode, decision) => {
    const judged = await judgeCall(tool, asked, [allow], { mode });
    expect(judged).toMatchObject({ decision, effect: 'idempotent' });
  });

  test('who reads the schedule in words', async () => {
    const weekly = { ...asked, days: ['monday'], time_zone: 'Europe/Berlin', until: '' };
    const { facts } = await judgeCall(tool, { ...weekly, until: inDays(3) }, [], {});
    expect(facts.preview).toMatch(/^Schedule morning: at 07:00, Monday, Europe\/Berlin, until .+\.\n/);
    expect(facts.preview).toMatch(
      /has the agent, tools, limits and destinations of this one.*\nLook at the disks\.$/s,
    );
  });
});

test.each<[string, { [field: string]: Json }, RegExp]>([
  ['without an end', { until: '' }, /until is no time/],
  ['with an end without a zone', { until: '2099-01-01T00:00:00' }, /without its zone/],
  ['with an end that is over', { until: inDays(-1) }, /is over: expected a later time/],
  ['with an end in 32 days', { until: inDays(32) }, /until: expected at most 31 days ahead/],
  ['every 14 minutes', { at: null, every_minutes: 14 }, /every_minutes/],
  ['at two times that are near', { at: ['07:00', '07:14'] }, /at: expected 15 minutes between two times/],
  ['at two times that are near over midnight', { at: ['23:55', '00:05'] }, /between two times/],
  ['twice at one time', { at: ['07:00', '07:00'] }, /between two times/],
  ['at no time', { at: null }, /expected every_minutes or at, one of them/],
  ['with two kinds of times', { every_minutes: 60 }, /expected every_minutes or at, one of them/],
  ['with days of an interval', { at: null, every_minutes: 60, days: ['monday'] }, /days belongs to at/],
  ['in a zone that is none', { time_zone: 'Mars' }, /Mars.*expected an IANA name/],
  ['with a name that is none', { name: 'a b' }, /expected letters, digits/],
])('[SCHED-06c] a call %s is refused before anybody is asked', (_, changes, words) => {
  const args = Object.fromEntries(
    Object.entries({ ...asked, ...changes }).filter(([, value]) => value !== null),
  );
  expect(() => tool.parse(args)).toThrow(words);
});

test('[SCHED-06c] calls at the limits are taken', () => {
  const { at: _, ...rest } = asked;
  expect(() => tool.parse({ ...rest, every_minutes: 15, until: inDays(30.99) })).not.toThrow();
  expect(() => tool.parse({ ...asked, at: ['07:15', '07:00'] })).not.toThrow();
});
