// The description of the API: valid, served as published, and with what generators of clients need.
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { operations as sessionOperations } from '@holdfast/vocabulary/session-operations';
import { bearer, startTestGateway, withTokens } from '../support/gateway.ts';
import { description, faultsOf, nameOf, operations } from '../support/openapi.ts';
import { readPage } from '../docs/pages.ts';

const { schemas } = description.components;

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
    expect([operationId, nameOf(responses['default'], 'application/problem+json')]).toEqual([
      operationId,
      'Problem',
    ]);
  }
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('[HTTP-07b] a route has the right and the words of its operation, and each operation with a right has one', () => {
  const offered = Object.entries(sessionOperations).flatMap(([name, { right, words }]) =>
    right ? [{ name, right, words }] : [],
  );
  expect(offered.map(({ name }) => name)).toContain('steer');
  // two routes, each with words of its own
  for (const { right, words } of offered.filter(({ name }) => name !== 'resolveApproval'))
    expect(operations).toContainEqual(
      expect.objectContaining({ summary: words, description: `Needs the right \`${right}\`.` }),
    );
});

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const one = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'contains',
  'not',
  'propertyNames',
  'schema',
  'if',
  'then',
  'else',
];
const several = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const named = ['properties', 'patternProperties', 'schemas', '$defs', 'dependentSchemas'];

/** Every schema of a document with its place. */
function* schemasIn(value: unknown, place = ''): Generator<[place: string, schema: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value as Record<string, unknown>)) {
    const at = `${place}/${name}`;
    if (one.includes(name)) yield [at, inside];
    if (several.includes(name) && Array.isArray(inside))
      for (const [index, schema] of inside.entries()) yield [`${at}/${index}`, schema];
    if (named.includes(name) && typeof inside === 'object' && inside !== null)
      for (const [field, schema] of Object.entries(inside)) yield [`${at}/${field}`, schema];
    yield* schemasIn(inside, at);
  }
}

test('[HTTP-07e] no schema is true, false or empty', () => {
  const all = [...schemasIn(description)];
  expect(all.length).toBeGreaterThan(1_000);
  const odd = all.filter(
    ([, schema]) => typeof schema === 'boolean' || Object.keys(schema as object).length === 0,
  );
  expect(odd).toEqual([]);
});

test('[HTTP-07e] each operation has an id, a tag and named bodies, and each form of a union is a named schema', () => {
  const json = operations.filter(({ operationId }) => !['sendAlerts', 'streamEvents'].includes(operationId));
  for (const { operationId, tags, requestBody, responses } of operations) {
    expect([operationId, tags]).toEqual([
      operationId,
      [expect.stringMatching(/^(?:sessions|questions|alerts)$/)],
    ]);
    expect(operationId).toMatch(/^[a-z]+[A-Za-z]+$/);
    if (!json.some((other) => other.operationId === operationId)) continue;
    const bodies = [
      ...(requestBody ? [requestBody] : []),
      ...Object.entries(responses).flatMap(([status, answer]) =>
        status.startsWith('2') && status !== '204' ? [answer] : [],
      ),
    ];
    for (const content of bodies)
      expect([operationId, nameOf(content)]).toEqual([operationId, expect.any(String)]);
  }
  const forms = schemas['AgentEvent']?.['oneOf'] as { $ref: string }[];
  expect(forms.length).toBeGreaterThan(20);
  expect(forms.map(({ $ref }) => $ref)).toContain('#/components/schemas/ApprovalRequestedEvent');
  expect(schemas['AgentEvent']?.['discriminator']).toMatchObject({
    propertyName: 'type',
    mapping: { warning: '#/components/schemas/WarningEvent' },
  });
});

test('[HTTP-09d] the filter of lists has every word of an outcome, and the page of the API has them all', () => {
  const { parameters = [] } = operations.find(({ operationId }) => operationId === 'listSessions') ?? {};
  const filter = parameters.find(({ name }) => name === 'outcome')?.schema.enum ?? [];
  const fields = schemas['SessionEntry']?.['properties'] as { outcome: { enum: string[] } } | undefined;
  const words = fields?.outcome.enum ?? [];
  expect(words).toContain('terminated');
  expect(filter.toSorted()).toEqual([...words, 'no_report'].toSorted());
  const [, page = ''] = /^(`outcome` is the way.*?)\n\n/ms.exec(readPage('docs/calling-http.md')) ?? [];
  expect(filter.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});

test('[HTTP-07f] the stream of events is a text, whose data has schemas', () => {
  const events = operations.find(({ operationId }) => operationId === 'streamEvents');
  expect(events?.responses['200']?.content).toEqual({ 'text/event-stream': { schema: { type: 'string' } } });
  for (const name of ['AgentEvent', 'StreamGap', 'StreamUnanswered', 'StreamClosed'])
    expect(schemas[name]).toBeDefined();
});

test('[HTTP-10b] [HTTP-10d] the description has no time as a number, and one name for the id of a question', () => {
  const fields = [...schemasIn(schemas)].map(([place, schema]) => ({
    place,
    name: place.replace(/^.*\//, ''),
    ...(schema as { type?: string; format?: string; description?: string }),
  }));
  const times = fields.filter(
    ({ name, description: words = '' }) =>
      /(?:At|^at|^deadline|^until)$/.test(name) || /ISO 8601/.test(words),
  );
  expect(times.length).toBeGreaterThan(40);
  const others = times.filter(({ type, format }) => type !== 'string' || format !== 'date-time');
  // a time as the agent has read it somewhere
  expect(others.map(({ place }) => place)).toEqual(['/TimelineEntry/properties/at']);
  expect(fields.filter(({ name }) => /^(?:questionId|approvalId)$/.test(name))).toEqual([]);
  for (const name of [
    'Approve',
    'Deny',
    'Answer',
    'Answered',
    'ApprovalItem',
    'QuestionItem',
    'ApprovalRequestedEvent',
    'QuestionAnsweredEvent',
  ])
    expect([name, schemas[name]?.['required']]).toEqual([name, expect.arrayContaining(['question'])]);
});

type Row = { requests: string[]; fields: string; example: string; answer: string };

/** The table of bodies; its first cell may name several paths of one folder. */
function rows(): Row[] {
  const [, section = ''] = /^## Bodies\n(.*?)^## /ms.exec(readPage('docs/calling-http.md')) ?? [];
  const lines = section.split('\n').filter((line) => line.startsWith('| `'));
  return lines.map((line) => {
    const [, request = '', fields = '', example = '', answer = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
    const [first = '', ...others] = [...request.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return {
      requests: [first, ...others.map((name) => first.replace(/[^/]+$/, name))],
      fields,
      example,
      answer,
    };
  });
}

test('[HTTP-11a] the table of bodies has each operation once, with its answers', () => {
  const table = rows().flatMap(({ requests, answer }) => requests.map((request) => ({ request, answer })));
  expect(table.map(({ request }) => request).toSorted()).toEqual(
    operations.map(({ request }) => request).toSorted(),
  );
  for (const { request, answer } of table) {
    const { responses = {} } = operations.find((operation) => operation.request === request) ?? {};
    const good = Object.keys(responses).filter((status) => status !== 'default');
    expect([request, answer.match(/\b2\d\d\b/g)?.toSorted()]).toEqual([request, good.toSorted()]);
    const names = good.flatMap((status) => nameOf(responses[status]) ?? []);
    expect([request, [...answer.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).toSorted()]).toEqual([
      request,
      [...new Set(names)].toSorted(),
    ]);
  }
});

test('[HTTP-11bc] it has the fields of each body, and examples that the description takes', () => {
  for (const { requests, fields, example } of rows()) {
    for (const request of requests) {
      const body = nameOf(operations.find((operation) => operation.request === request)?.requestBody);
      expect([request, example !== '']).toEqual([request, body !== undefined]);
      if (body === undefined) continue;
      const { properties = {}, required = [] } = schemas[body] as {
        properties?: object;
        required?: string[];
      };
      const expected = Object.keys(properties).map((name) => `${name}${required.includes(name) ? '' : '?'}`);
      const written = [...fields.matchAll(/(?:^|, )`(\w+\??)`/g)].map(([, name]) => name);
      if (body !== 'SessionInput') expect([request, written]).toEqual([request, expected]);
      const value = JSON.parse(example.slice(1, -1)) as object;
      expect(faultsOf(body, value)).toBe('No errors');
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(value)));
    }
  }
});
