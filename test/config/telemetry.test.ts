// What a process shows of itself, from the environment over the config file.
import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/config.ts';
import { configSchema } from '../../src/config/schema/config.schema.ts';
import { withoutListeners } from '../../src/config/telemetry.ts';

function telemetryOf(environment: Record<string, string>, telemetry = {}) {
  const file = { path: '/project/holdfast.config.ts', config: { telemetry }, agentFiles: {} };
  return resolveConfig({ cwd: '/project', environment, file }).telemetry;
}

describe('telemetry', () => {
  test('is nothing but the log where nobody asks for it', () => {
    expect(telemetryOf({})).toEqual({});
  });

  test('a port alone is one of this machine', () => {
    expect(telemetryOf({}, { health: 8081 })).toEqual({ health: '127.0.0.1:8081' });
    expect(telemetryOf({ HOLDFAST_HEALTH: '0.0.0.0:8081' }, { health: 9 })).toEqual({
      health: '0.0.0.0:8081',
    });
  });

  test('metrics are served at an address, and pushed to a URL', () => {
    expect(telemetryOf({}, { metrics: { prometheus: 9464 } })).toEqual({
      metrics: { prometheus: '127.0.0.1:9464' },
    });
    const pushed = { otlp: 'https://otlp.example.com/v1/metrics' };
    expect(telemetryOf({ HOLDFAST_METRICS: pushed.otlp })).toEqual({ metrics: pushed });
    expect(telemetryOf({ HOLDFAST_METRICS: '0.0.0.0:9464' }, { metrics: pushed })).toEqual({
      metrics: { prometheus: '0.0.0.0:9464' },
    });
  });

  test('traces go to a URL', () => {
    const traces = { otlp: 'https://otlp.example.com/v1/traces' };
    expect(telemetryOf({ HOLDFAST_TRACES: traces.otlp }, { traces: { otlp: 'http://other' } })).toEqual({
      traces,
    });
    expect(telemetryOf({}, { traces })).toEqual({ traces });
  });

  test('a worker inside a command listens nowhere, and still pushes', () => {
    const pushed = { otlp: 'https://otlp.example.com/v1/metrics' };
    const all = { logLevel: 'debug' as const, health: '127.0.0.1:1', metrics: { prometheus: '127.0.0.1:2' } };
    expect(withoutListeners(all)).toEqual({ logLevel: 'debug' });
    expect(withoutListeners({ ...all, metrics: pushed })).toEqual({ logLevel: 'debug', metrics: pushed });
  });

  test('a variable wins over the file', () => {
    const file = { logFormat: 'text', logLevel: 'error' };
    expect(telemetryOf({ HOLDFAST_LOG_FORMAT: 'json', HOLDFAST_LOG_LEVEL: 'debug' }, file)).toEqual({
      logFormat: 'json',
      logLevel: 'debug',
    });
  });

  test.each([
    { HOLDFAST_LOG_LEVEL: 'loud' },
    { HOLDFAST_HEALTH: 'localhost' },
    { HOLDFAST_HEALTH: '99999' },
    { HOLDFAST_TRACES: 'collector:4318' },
  ])('refuses %o, and says what is expected', (environment) => {
    expect(() => telemetryOf(environment)).toThrow(/^HOLDFAST_\w+ is ".*": .*xpected/);
  });

  test.each([
    { health: 70_000 },
    { health: 'here' },
    { logFormat: 'xml' },
    { loglevel: 'info' },
    { metrics: {} },
    { metrics: { otlp: 'collector:4317' } },
  ])('a config with %o is refused', (telemetry) => {
    expect(configSchema.safeParse({ telemetry }).success).toBe(false);
  });
});
