// Every method of a session handle, and every operation of the Nexus service, is shown by an example.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sessionService } from '../../src/calling/session-service.ts';
import { SessionHandle } from '../../src/client/session-handle.ts';
import { SessionSender } from '../../src/client/session-sender.ts';

const examples = resolve(import.meta.dirname, '../../examples');
const programs = globSync('**/*.ts', { cwd: examples, exclude: ['**/node_modules/**'] })
  .map((file) => readFileSync(join(examples, file), 'utf8'))
  .join('\n');

const inner = ['constructor', 'call', 'perform'];
const methodsOf = ({ prototype }: { prototype: object }): string[] =>
  Object.getOwnPropertyNames(prototype).filter((name) => !inner.includes(name));

test('the examples use every method of a session handle', () => {
  const methods = [SessionHandle, SessionSender].flatMap(methodsOf);
  expect(methods.length).toBeGreaterThan(40);
  expect(methods.filter((name) => !programs.includes(`.${name}(`))).toEqual([]);
});

test('the examples use every operation of the Nexus service', () => {
  const operations = Object.keys(sessionService.operations);
  expect(operations).toContain('investigate');
  expect(operations.filter((name) => !new RegExp(`Operation\\(\\s*'${name}'`).test(programs))).toEqual([]);
});
