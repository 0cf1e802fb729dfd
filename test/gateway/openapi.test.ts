// The description of the API: valid, served as published, and enough for a generator to make a client that works.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { bearer, startTestGateway, withTokens } from '../support/gateway.ts';

const root = resolve(import.meta.dirname, '../..');
const file = join(root, 'schemas/openapi.json');
type Operation = { operationId: string; security?: object[]; responses: Record<string, object> };
const description = JSON.parse(readFileSync(file, 'utf8')) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));

test('[HTTP-07a] the description is valid OpenAPI 3.1, by a validator from npm', async () => {
  const result = await new Validator().validate(description);
  expect(result).toEqual({ valid: true });
  expect(description.openapi).toMatch(/^3\.1\./);
});

test('[HTTP-07b] it is served as published, and each operation has its rights, its answers and its problems', async () => {
  const { ask } = await startTestGateway({ gateway: withTokens });
  const { body, headers } = await ask('/v1/openapi.json', { headers: bearer('reader') });
  expect(body).toEqual(description);
  expect(headers.get('content-type')).toBe('application/json');
  expect(operations.length).toBeGreaterThan(15);
  for (const { operationId, security, responses } of operations) {
    const signed = operationId === 'sendAlerts' ? [{}] : [];
    expect([operationId, security]).toEqual([operationId, [{ bearer: [] }, { basic: [] }, ...signed]]);
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(['default'])]);
  }
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});
