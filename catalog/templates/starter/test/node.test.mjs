// An older Node reads no TypeScript: of the tests it finds this one alone, and would pass with nothing tested.
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('Node is 24 or newer', () => {
  const { node } = process.versions;
  const advice = `The other tests are TypeScript and need Node 24 or newer; this is Node ${node} (${process.execPath}). Run "npm install node@24" here.`;
  assert.ok(Number.parseInt(node, 10) >= 24, advice);
});
