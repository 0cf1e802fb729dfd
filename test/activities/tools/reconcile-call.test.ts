// What a tool finds out about a lost call of it, as the result that the model reads.
import { expect, test } from 'vitest';
import { createToolActivities } from '../../../src/activities/tools/run-tool.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import type { ToolCallResult } from '@holdfast/vocabulary/call-results';
import { textOf } from '@holdfast/vocabulary/messages';
import type { PolicyDecision } from '@holdfast/vocabulary/tool-spec';
import { fakeTool, toolBench, toolCallInput } from '../../support/tool-calls.ts';

const gone = () => Promise.reject(new Error('no such table'));

test.each<[string, PolicyDecision, NonNullable<RegisteredTool['reconcile']>, RegExp, boolean]>([
  [
    'says that it happened',
    'allow',
    () => ({ happened: true, text: 'changed' }),
    /^changed\n\[It happened\. /,
    false,
  ],
  [
    'says that it did not',
    'allow',
    () => ({ happened: false }),
    /^It did not happen: .*Make the call again if it is still wanted\.$/,
    true,
  ],
  [
    'does not know',
    'allow',
    () => ({ happened: 'unknown', text: 'Begun, not done.' }),
    /^Begun, not done\.\nOutcome unknown: /,
    true,
  ],
  ['throws', 'allow', gone, /^It could not be found out: no such table\nOutcome unknown: /, true],
  [
    'gives no answer',
    'allow',
    () => undefined as never,
    /^It could not be found out: reconcile of fake gave no answer\.\nOutcome unknown: /,
    true,
  ],
  [
    'is denied by now',
    'deny',
    () => Promise.reject(new Error('never asked')),
    /^Denied by policy: .*\nOutcome unknown: /,
    true,
  ],
])('[FAULT-96] a reconcile that %s', async (_, decision, reconcile, text, isError) => {
  const tool = { ...fakeTool(() => Promise.reject(new Error('run again')), { effect: 'once' }), reconcile };
  const { deps, environment } = await toolBench(tool, { policy: [{ tool: '*', decision }] });
  const lookUp = createToolActivities(deps)['reconcile.fake'];
  if (lookUp === undefined) throw new Error('there is no look-up');
  const look = () => lookUp(toolCallInput({}));
  const { message } = await environment.run<[], ToolCallResult, typeof look>(look);
  expect(textOf(message)).toMatch(text);
  expect(message.isError).toBe(isError);
});
