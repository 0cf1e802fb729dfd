// Destinations in a config: what is accepted, where paths start, and what each mistake says.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config-file.ts';
import type { HoldfastConfig } from '../../src/config/define-config.ts';
import { destinationsOf } from '../../src/worker/destinations-of-config.ts';
import { literalSecrets } from '../../src/worker/literal-secrets.ts';
import { resolvedAt } from '../support/composed-worker.ts';
import { temporaryFolder } from '../support/tool-calls.ts';

const secrets = { hook: { env: 'HOOK' }, smtp: { file: 'smtp' } };

const good: HoldfastConfig = {
  secrets,
  destinations: {
    folder: { file: { folder: 'reports' } },
    program: { webhook: { url: 'https://ops.example.com/holdfast', secret: 'secret://hook' } },
    slack: { slack: { url: 'secret://hook' } },
    mattermost: { mattermost: { url: 'secret://hook' } },
    teams: { teams: { url: 'secret://hook' } },
    mail: {
      email: {
        smtp: 'smtps://ops:secret://smtp@mail.example.com',
        from: 'Holdfast <holdfast@example.com>',
        to: ['team@example.com'],
      },
    },
    relay: {
      email: { smtp: 'smtp://relay', from: 'a@example.com', to: ['team@example.com'], ca: 'relay.pem' },
    },
    tracker: {
      mapping: {
        file: 'jira',
        settings: { url: 'https://x.example', project: 'OPS', authorization: 'secret://hook' },
      },
    },
    own: { mapping: { file: './mappings/own.yaml' } },
  },
};

const resolved = (config: HoldfastConfig) => resolvedAt('/place', config);

test('[DELIV-16] every kind of destination is accepted, and paths start at the config file', () => {
  expect(parseConfig(good, 'holdfast.config.ts')).toEqual(good);
  const { destinations } = resolved(good);
  expect(destinations['folder']).toEqual({ file: { folder: '/place/reports' } });
  expect(destinations['own']).toEqual({ mapping: { file: '/place/mappings/own.yaml' } });
  expect(destinations['tracker']?.mapping?.file).toBe('jira');
  expect(destinations['relay']?.email?.ca).toBe('/place/relay.pem');
});

const one = (destination: unknown): unknown => ({ secrets, destinations: { it: destination } });

test.each<[string, unknown, RegExp]>([
  ['no kind', one({}), /expected exactly one of file, webhook, slack, mattermost, teams, email, mapping/],
  [
    'two kinds',
    one({ slack: { url: 'secret://hook' }, teams: { url: 'secret://hook' } }),
    /expected exactly one of/,
  ],
  ['an unknown kind', one({ pigeon: {} }), /pigeon/],
  [
    '[DELIV-04d] the address of a chat',
    one({ slack: { url: 'https://hooks.slack.com/x' } }),
    /expected a reference, 'secret:\/\/name'/,
  ],
  [
    '[DELIV-04d] the key of a signature',
    one({ webhook: { url: 'https://x.example', secret: 'abc' } }),
    /expected a reference/,
  ],
  [
    '[DELIV-04d] a secret that is not there',
    one({ slack: { url: 'secret://gone' } }),
    /there is no secret "gone"/i,
  ],
  ['no address', one({ email: { smtp: 'smtps://x', from: 'me', to: ['a@b'] } }), /expected an address/],
  [
    'an address with a line end',
    one({ email: { smtp: 'smtps://x', from: 'a@b', to: ['x\r\nBcc: a@b'] } }),
    /expected an address/,
  ],
  [
    'another protocol',
    one({ webhook: { url: 'ftp://x', secret: 'secret://hook' } }),
    /expected http\(s\):\/\//,
  ],
  [
    'a name with blanks',
    { destinations: { 'a b': { file: { folder: 'x' } } } },
    /the name is not valid: expected a name of letters/,
  ],
  [
    '[DELIV-04b] a receiver that names none',
    {
      receivers: { prod: { format: 'grafana', start: { deliver: [{ to: 'teem' }] } } },
      destinations: { team: { file: { folder: 'x' } } },
    },
    /there is no destination "teem": expected one of team\. Did you mean "team"\?/,
  ],
  [
    '[DELIV-04b] a route that names none',
    {
      receivers: {
        prod: { format: 'grafana', routes: [{ match: { a: 'b' }, start: { deliver: [{ to: 'team' }] } }] },
      },
    },
    /there is no destination "team": expected none/,
  ],
])('%s is refused', (_what, config, words) => {
  expect(() => parseConfig(config, 'holdfast.config.ts')).toThrow(words);
});

test('the mappings of the package are found; another name is refused, and a mistake in a file too', async () => {
  const resolve = async (text: string) => text;
  const { own: _, ...packaged } = good.destinations ?? {};
  expect([...(await destinationsOf({ destinations: packaged }, resolve)).keys()]).toEqual(
    Object.keys(packaged),
  );
  await expect(
    destinationsOf({ destinations: { it: { mapping: { file: 'jura' } } } }, resolve),
  ).rejects.toThrow(
    'A destination has the mapping "jura": expected discord, google-chat, jira, servicenow, pagerduty-note, or a path',
  );
  const file = join(await temporaryFolder(), 'own.yaml');
  await writeFile(file, 'description: x\n');
  await expect(destinationsOf({ destinations: { it: { mapping: { file } } } }, resolve)).rejects.toThrow(
    `The mapping ${file} is not valid`,
  );
});

test('[DELIV-05d] a password or token that is written into the config is known, and kept out of outputs', () => {
  const config = resolved({
    destinations: {
      mail: { email: { smtp: 'smtps://ops:planted-password@x', from: 'a@b', to: ['a@b'] } },
      tracker: { mapping: { file: 'jira', settings: { authorization: 'Bearer planted-token' } } },
    },
  });
  const values = literalSecrets(config).map(([, value]) => value);
  expect(values).toEqual(expect.arrayContaining(['planted-password', 'planted-token']));
});
