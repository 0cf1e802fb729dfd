// Receivers of a config file: what belongs to a format is with it, and only there.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';

test.each([
  [{ format: 'grafana', topics: ['arn'] }, 'receivers.prod.topics: belongs to the format cloudwatch'],
  [{ format: 'generic' }, 'receivers.prod.mapping: belongs to the format generic, which needs it'],
  [
    { format: 'grafana', signingSecret: 'secret://pd' },
    'receivers.prod.signingSecret: belongs to the format pagerduty: expected no such key here',
  ],
  [{ format: 'generic', mapping: { name: 'title' } }, 'expected a JSON pointer, such as "/alert/name"'],
  [{ format: 'grafana', routes: [{ match: { team: '/(/' } }] }, 'expected a text, or a regular expression'],
])('[ALERT-04g] %j is refused', (receiver, words) => {
  const config = { receivers: { prod: receiver }, secrets: { pd: { env: 'PD' } } };
  expect(() => parseConfig(config, 'holdfast.config.yaml')).toThrow(words);
});
