// What is counted of model and tool calls, and how metrics leave.
import type { MetricMeter } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, test } from 'vitest';
import type { ToolEffect } from '@holdfast/vocabulary/tool-spec';
import { type CallMetrics, createCallMetrics, toExporter } from '../../../src/worker/telemetry/metrics.ts';

type Info = ConstructorParameters<typeof MockActivityEnvironment>[0];

/** `name label value ... = value` of all that is recorded. */
function recorded(record: (metrics: CallMetrics) => void, effect: ToolEffect = 'once'): string[] {
  const values: string[] = [];
  const take = (name: string) => (value: number, labels: object) => {
    const { queue: _, ...shown }: Record<string, unknown> = { ...labels };
    values.push(`${name} ${Object.entries(shown).flat().join(' ')} = ${value}`);
  };
  const create = (name: string) => ({ add: take(name), record: take(name), set: take(name) });
  const meter = { createCounter: create, createHistogram: create } as unknown as MetricMeter;
  record(createCallMetrics({ meter, tags: { queue: 'ops' }, effectOf: () => effect }));
  return values;
}

const infoOf = (info: Info) => new MockActivityEnvironment(info).context.info;
const usage = { input: 100, cacheRead: 50, cacheWrite: 0, output: 7 };
const loop = 'provider openai model gpt purpose loop';

describe('a model call', () => {
  const message = { role: 'assistant', content: [], model: { provider: 'openai', id: 'gpt' }, usage };

  test('counts its tokens by type, with those that were wasted, and its cost', () => {
    const result = { message, costUsd: 0.02, wasted: { ...usage, cacheRead: 0 } };
    const values = recorded((metrics) =>
      metrics.answered(infoOf({ activityType: 'callModel' }), result, 1_500),
    );
    expect(values).toEqual([
      'holdfast_turns  = 1',
      `holdfast_model_calls ${loop} = 1`,
      `holdfast_model_call_duration ${loop} = 1.5`,
      `holdfast_tokens ${loop} type input = 200`,
      `holdfast_tokens ${loop} type cacheRead = 50`,
      `holdfast_tokens ${loop} type output = 14`,
      `holdfast_model_cost ${loop} = 0.02`,
    ]);
  });

  test('beside the loop has its purpose', () => {
    const info = infoOf({ activityType: 'summarize' });
    const values = recorded((metrics) => metrics.answered(info, { usage, costUsd: 0.01 }, 10));
    expect(values.at(-1)).toBe('holdfast_model_cost provider any model any purpose condense = 0.01');
  });

  test('that fails has the type of its failure', () => {
    const info = infoOf({ activityType: 'callModel' });
    expect(recorded((metrics) => metrics.failed(info, 'Model.RateLimit', 10))).toEqual([
      'holdfast_model_failures failure Model.RateLimit purpose loop = 1',
    ]);
  });
});

describe('a tool call', () => {
  const answered = { message: { isError: false } };

  test.each<[ToolEffect, number | undefined, string]>([
    ['once', 1, 'once'],
    ['once', 10, 'read'],
    ['read', 10, 'read'],
    ['idempotent', 10, 'idempotent'],
    // the policy said so of this call
    ['idempotent', 1, 'once'],
  ])('of a tool that is %s, with %s attempts, is %s', (declared, maximumAttempts, effect) => {
    const info = infoOf({
      activityType: 'tool.bash',
      retryPolicy: { maximumAttempts: maximumAttempts ?? 0 },
    });
    const [counted] = recorded((metrics) => metrics.answered(info, answered, 10), declared);
    expect(counted).toBe(`holdfast_tool_calls tool bash effect ${effect} result ok = 1`);
  });

  test.each([
    [{ message: { isError: true } }, 'error'],
    [{ message: { isError: true }, interrupted: true }, 'stopped'],
  ])('%o is counted as %s', (result, expected) => {
    const [counted] = recorded((metrics) =>
      metrics.answered(infoOf({ activityType: 'tool.read' }), result, 10),
    );
    expect(counted).toContain(`result ${expected}`);
  });
});

test('other activities count only their repetitions', () => {
  const info = infoOf({ activityType: 'saveResult' });
  expect(recorded((metrics) => metrics.answered(info, undefined, 10))).toEqual([]);
  expect(recorded((metrics) => metrics.repeated(info))).toEqual(['holdfast_retries activity saveResult = 1']);
});

test('headers of a push are resolved, and a scrape has the address', async () => {
  const resolve = async (text: string): Promise<string> => text.replace('secret://grafana', 'k3y');
  const target = { otlp: 'http://collector:4318/v1/metrics', headers: { authorization: 'secret://grafana' } };
  expect(await toExporter(target, resolve)).toMatchObject({
    otel: { url: target.otlp, http: true, headers: { authorization: 'k3y' } },
  });
  expect(await toExporter({ prometheus: '127.0.0.1:9464' }, resolve)).toMatchObject({
    prometheus: { bindAddress: '127.0.0.1:9464', countersTotalSuffix: true },
  });
});
