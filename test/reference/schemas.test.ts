// The published schemas: every field has its words, real values keep to them, and the workflow has what they name.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { isRecord, type JsonRecord as Schema } from '@holdfast/base/json';
import { mapValues } from '@holdfast/base/map-values';
import { queryRules } from '../../src/core/session/queries.ts';
import { signals, updates } from '../../src/workflows/session/workflow-api.ts';
import { calls, fails, inTurn, says } from '../support/memory-model.ts';
import { MemorySession } from '../support/memory-session.ts';
import { recordedMessages } from '../support/recorded-messages.ts';

type Properties = Record<string, Schema>;

const folder = join(import.meta.dirname, '../../catalog/schemas');
// test/gateway has what is asked of openapi.json
const files = readdirSync(folder).filter((file) => file !== 'openapi.json');
const schemas = new Map(
  files.map((file): [string, Schema] => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  ]),
);

function schemaOf(part: string): Schema {
  return schemas.get(part) ?? {};
}

/** Published schemas are open for fields of later versions; here a field that they do not name is an error. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const inside = mapValues(schema, closed);
  const { properties, additionalProperties } = inside;
  const isOpen = additionalProperties === undefined || JSON.stringify(additionalProperties) === '{}';
  return isRecord(properties) && isOpen ? { ...inside, additionalProperties: false } : inside;
}

/** Without what only one execution hands to the next, and what only results of older versions have. */
function withoutOld({ carried: _, newMessages, ...value }: Schema): Schema {
  if (!isRecord(newMessages)) return value;
  const { messages: __, ...range } = newMessages;
  return { ...value, newMessages: range };
}

const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, uri: true } });
/** What is wrong with the value; undefined where it keeps to the schema. */
let problemOf: (part: string, value: unknown) => string | undefined;

beforeAll(() => {
  const checks = new Map([...schemas].map(([part, schema]) => [part, ajv.compile(closed(schema) as Schema)]));
  problemOf = (part, value) => {
    const check = checks.get(part);
    if (!check) return `There is no schema ${part}`;
    return check(value)
      ? undefined
      : `${ajv.errorsText(check.errors)}: ${JSON.stringify(value).slice(0, 500)}`;
  };
});

/** Every property of the schema by its path, with its words or those of the type that it names. */
function fieldsOf(schema: Schema): { path: string; words: unknown }[] {
  const definitions = isRecord(schema['$defs']) ? (schema['$defs'] as Properties) : {};
  const found: { path: string; words: unknown }[] = [];
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) value.forEach((item) => walk(item, path));
    if (!isRecord(value)) return;
    for (const [key, inside] of Object.entries(value)) {
      if (key === 'properties' && isRecord(inside)) {
        for (const [name, field] of Object.entries(inside as Properties)) {
          const named = definitions[String(field['$ref']).replace('#/$defs/', '')];
          found.push({ path: `${path}.${name}`, words: field['description'] ?? named?.['description'] });
          walk(field, `${path}.${name}`);
        }
      } else if (key === '$defs' && isRecord(inside)) {
        for (const [name, definition] of Object.entries(inside)) walk(definition, name);
      } else walk(inside, path);
    }
  };
  walk(schema, '');
  return found;
}

test.each([...schemas.keys()])('every field of %s has its words', (part) => {
  const fields = fieldsOf(schemaOf(part));
  expect(fields.length).toBeGreaterThan(10);
  expect(fields.filter(({ words }) => words === undefined).map(({ path }) => path)).toEqual([]);
});

test('signals, updates and queries are those of the workflow', () => {
  const named = (part: string) => Object.keys(schemaOf(part)['properties'] as Properties).toSorted();
  const open = Object.keys(queryRules).filter((name) => !name.startsWith('x-internal-'));
  expect(named('signals')).toEqual(Object.keys(signals).toSorted());
  expect(named('updates')).toEqual(Object.keys(updates).toSorted());
  expect(named('queries')).toEqual(open.toSorted());
});

test('[EVENT-01ab] events have the names of the row, and no others', () => {
  const { anyOf = [], $defs = {} } = schemaOf('events');
  const { MessageUpdate, ToolExecutionUpdate } = $defs as Properties;
  const events = [...(anyOf as Schema[]), MessageUpdate, ToolExecutionUpdate].filter(isRecord);
  // a live one is named by its definition
  const types = events.filter((event) => !('$ref' in event)).map(typeOf);
  const row = readFileSync(join(folder, '../../docs/behaviours.md'), 'utf8').match(
    /^\| EVENT-01 \|.*$/m,
  )?.[0];
  expect(types.toSorted()).toEqual(row?.match(/\b[a-z]+(?:_[a-z]+)*(?=[,.])/g)?.toSorted());
});

function typeOf({ properties }: Schema): string {
  return String((properties as Properties)['type']?.['const']);
}

describe('of the recorded histories', () => {
  const messages = recordedMessages();

  test.each(['input', 'output', 'signals', 'updates'] as const)('every message of %s keeps to it', (part) => {
    const values = messages.filter((message) => message.part === part);
    expect(values.length).toBeGreaterThan(5);
    const problems = values.flatMap(({ history, value }) => {
      const problem = problemOf(part, withoutOld(value as Schema));
      return problem === undefined ? [] : [`${history}: ${problem}`];
    });
    expect(problems).toEqual([]);
  });
});

describe('of sessions in memory', () => {
  /** After every change: the answers of all queries, and the events since the last. */
  function watch(session: MemorySession): { events: Set<string>; problems: Set<string> } {
    const seen = { events: new Set<string>(), problems: new Set<string>() };
    let lastSeq = 0;
    const check = (part: string, value: unknown): void => {
      const problem = problemOf(part, JSON.parse(JSON.stringify(value)));
      if (problem !== undefined) seen.problems.add(`${part}: ${problem}`);
    };
    session.onChange = () => {
      for (const event of session.seen.filter(({ seq }) => seq > lastSeq)) {
        lastSeq = event.seq;
        seen.events.add(event.type);
        check('events', event);
      }
      check('snapshot', session.snapshot);
      for (const [name, args] of asked) {
        const table: Record<string, (session: MemorySession['session'], ...args: never[]) => unknown> =
          queryRules;
        const answer = table[name]?.(session.session, ...(args as never[]));
        check('queries', { [name]: { args, answer } });
      }
    };
    return seen;
  }
  const asked: [string, unknown[]][] = [
    ...['snapshot', 'getResult', 'plan', 'hasQueuedMessages', 'pendingApprovals', 'pendingQuestions'].map(
      (name): [string, unknown[]] => [name, []],
    ),
    ['getEvents', [0]],
    ['getMessages', [0, 10]],
    ['getReceipt', ['s1']],
    ['checkpoint', []],
  ];

  test('an approval, a steering message, a condense and a failed call', async () => {
    const large = { usage: { input: 900, cacheRead: 0, cacheWrite: 0, output: 5 } };
    const session = new MemorySession({
      model: inTurn(calls('a'), calls('b:change:{"x":1}'), { ...calls('c:none'), ...large }, says('done')),
      tools: { echo: ({ callId }) => `result of ${callId}`, change: () => 'changed' },
      policy: { change: 'ask' },
      settings: { model: { contextWindow: 1_000, maxResponseTokens: 100 } },
      input: { name: 'night watch', labels: { team: 'shop' } },
    });
    const seen = watch(session);
    const answered = session
      .until(() => session.approvals.length > 0)
      .then(() => {
        session.steer('s1', 'Look at the pool.');
        session.send('resolveApproval', { id: 'b', approve: true, actor: 'tester', remember: 'call' });
      });
    await Promise.all([session.ask('Look into it.'), answered]);
    expect([...seen.problems]).toEqual([]);
    expect([...seen.events]).toEqual(
      // oxfmt-ignore
      expect.arrayContaining([
        'session_start', 'agent_start', 'agent_end', 'turn_start', 'turn_end', 'message_start',
        'message_end', 'tool_execution_start', 'tool_execution_end', 'state_changed', 'queue_update',
        'approval_requested', 'approval_resolved', 'condense_start', 'condense_end',
      ]),
    );
  });

  test('a run that fails', async () => {
    const session = new MemorySession({
      model: inTurn(calls('a'), fails('Model.NotFound')),
      tools: { echo: () => 'x' },
    });
    const seen = watch(session);
    await session.ask('Look into it.');
    expect(session.snapshot.error).toMatchObject({ code: 'Model.NotFound' });
    expect([...seen.problems]).toEqual([]);
  });
});
