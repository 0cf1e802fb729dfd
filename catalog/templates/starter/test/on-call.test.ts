// The real agent with its real tools, and a script in place of the model: no key, no server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callTool, say, testAgent } from 'holdfast/testing';

test('the agent on-call reads the disk', async () => {
  const { result, messages } = await testAgent({
    config: 'holdfast.config.ts',
    input: { agent: 'on-call' },
    prompt: 'Is the disk full?',
    script: [callTool('disk_usage', { path: '/' }), say('The disk has room.')],
  });
  assert.equal(result.status, 'completed');
  assert.match(JSON.stringify(messages), /\/: \d+ % of \d+ GB used/);
});
