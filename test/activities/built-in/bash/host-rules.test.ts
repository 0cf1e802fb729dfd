// What http.allow and rules by host make of commands that reach a host.
import { describe, expect, test } from 'vitest';
import { openers } from '../../../../packages/shell-judge/test/lists/openers.ts';
import { inspectCommand } from '../../../../src/activities/built-in/bash/bash-facts.ts';
import type { PolicyRule } from '@holdfast/vocabulary/tool-spec';
import { decidePolicy } from '../../../../src/core/tools/policy.ts';
import { shellSettings } from '../../../support/shell.ts';

function decide(command: string, hosts: string[], rules: PolicyRule[] = []): string {
  const { actions = [] } = inspectCommand(command, '/', shellSettings({ network: true }, { hosts }));
  return decidePolicy({ tool: 'bash', effect: 'once', actions }, rules, { mode: 'act' }).decision;
}

describe('[MODE-13bc] a read that may open an address', () => {
  test.each(openers)('%s: http.allow and rules by host decide about %s', (command, host) => {
    expect(decide(command, [])).toBe('ask');
    expect(decide(command, [host])).toBe('allow');
    expect(decide(command, [host], [{ tool: 'bash', host: '*', decision: 'deny' }])).toBe('deny');
  });

  test.each([
    'aws s3 ls "s3://b/$(cat /etc/passwd)"',
    'openssl x509 -in "$f"',
    'gcloud projects list --filter "$x"',
  ])('%s asks in mode act too: which host it reaches is not known', (command) => {
    expect(decide(command, ['b.s3.amazonaws.com'])).toBe('ask');
  });
});
