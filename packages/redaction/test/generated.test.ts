// Tokens of every form of the kept list, and what only looks like one, made by seeded generators: no string here is a
// credential of anybody. Prints the share of tokens that are left and of look-alikes that are changed, and holds both.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { createRedactor } from '../src/redaction.ts';
import { entropyOf, tokenPatternsIn } from '../src/token-patterns.ts';
import { tokenForms } from '../src/token-forms/forms.ts';

const redactor = createRedactor([]);
const seed = 20_261_123;

const samples = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(fc.noBias(arbitrary), { seed, numRuns: count });

/** Without what looks around: the generator writes whole texts. */
function textOf(pattern: string): fc.Arbitrary<string> {
  const source = pattern
    .replaceAll(/\(\?(?:!|<!)[^)]*\)/g, '')
    .replaceAll(/\(\?-?i:/g, '(?:')
    // else half of what it writes is the one sign beside them
    .replaceAll(/\\w(?=\{)/g, '[a-zA-Z0-9_]')
    .replaceAll(String.raw`\w`, 'a-zA-Z0-9_')
    .replaceAll(String.raw`\b`, '');
  return fc.stringMatching(new RegExp(`^${source}$`));
}

const alphabet = (characters: string, min: number, max = min): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters.split('')), minLength: min, maxLength: max });
const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = lower.toUpperCase();
const hex = (length: number): fc.Arbitrary<string> => alphabet('0123456789abcdef', length);
const uuid = fc.uuid();

/** The places that a value is seen in; `@` is the value. */
const places: Record<string, readonly string[]> = {
  env: ['SHOP_UPSTREAM=@', 'export SHOP_UPSTREAM="@"', "SHOP_UPSTREAM='@'"],
  yaml: ['  upstream: @', "  upstream: '@'", '  - @', 'upstream: "@" # since May'],
  json: ['{"upstream":"@","port":80}', String.raw`"{\"upstream\":\"@\"}"`, '["@", 1]'],
  text: [
    String.raw`{"text":"called with\n@"}`,
    String.raw`{"text":"k\t@ refused"}`,
    'GET /?next=%2F%3Fk%3D@ 200',
  ],
  log: [
    '2026-11-22T10:00:01Z INFO shop: calls upstream with @ (attempt 2)',
    'level=warn upstream=@ status=401',
    'upstream [@] refused',
    'refused (@), retry',
  ],
  url: [
    'https://api.example.com/v1/orders?k=@&page=2',
    'https://api.example.com/@/orders',
    'GET /v1?k=@ HTTP/1.1',
  ],
  sentence: ['Use @ for the upstream.', 'The value was @.', 'It is @, as before.', 'Try `@` or wait', '@'],
};

/** True if so much of it is left that it is as good as the whole. */
const isLeft = (value: string, cleaned: string): boolean => {
  const tail = value.replace(/=+$/, '');
  return (
    cleaned.includes(tail.slice(-12)) || cleaned.includes(tail.slice(Math.ceil(tail.length / 2)).slice(0, 12))
  );
};

const percent = (part: number, all: number): number => Math.round((1_000 * part) / all) / 10;

type Share = { share: number; wrong: string[] };

function shares(
  values: readonly string[],
  inPlaces: Record<string, readonly string[]>,
  isWrong: (value: string, text: string) => boolean,
): Record<string, Share> {
  return Object.fromEntries(
    Object.entries(inPlaces).map(([name, templates]) => {
      const lines = values.flatMap((value) =>
        templates.map((line) => ({ value, text: line.replace('@', () => value) })),
      );
      const wrong = lines.filter(({ value, text }) => isWrong(value, text)).map(({ text }) => text);
      return [name, { share: percent(wrong.length, lines.length), wrong }];
    }),
  );
}

const print = (title: string, found: Record<string, Share>): void =>
  console.log(
    title,
    Object.entries(found)
      .map(([name, { share }]) => `${name} ${share} %`)
      .join(', '),
  );

/** For the message of a failure. */
const above = (found: Record<string, Share>, limit: number): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(found)
      .filter(([, { share }]) => share >= limit)
      .map(([name, { wrong }]) => [name, wrong.slice(0, 20)]),
  );

const leaks = (value: string, text: string): boolean => isLeft(value, redactor.text(text));

test('[SAFE-13a] a token of a known form goes from every place by its form alone', () => {
  const tokens = tokenForms.flatMap(({ pattern, entropy }) =>
    // as random as the form asks for
    samples(
      textOf(pattern).filter((text) => entropyOf(text) >= entropy),
      5,
    ),
  );
  const found = shares(tokens, places, leaks);
  print(`left, of ${tokens.length} tokens of ${tokenForms.length} forms:`, found);
  expect(above(found, 3)).toEqual({});
});

const mixed = lower + upper + digits;
const secrets = fc.oneof(
  alphabet(mixed, 24, 48),
  alphabet(`${mixed}-_`, 24, 48),
  fc.tuple(alphabet(mixed, 12), alphabet(mixed, 20, 40)).map((parts) => parts.join('.')),
  fc.tuple(alphabet(lower + digits, 8), alphabet(lower + digits, 24)).map((parts) => parts.join('-')),
  fc.uint8Array({ minLength: 32, maxLength: 1_500 }).map((bytes) => Buffer.from(bytes).toString('base64')),
);
const names = [
  'gateway_token',
  'gateway-token',
  'gateway.token',
  'deploy_token',
  'shopToken',
  'x-shop-token',
  'SHOP_TOKEN',
  'license_key',
  'licence-key',
  'secret_key',
  'shop.secret_key',
  'subscription_key',
  'apikey',
  'client_secret',
  'token',
  'secret',
];
const named = (name: string): Record<string, readonly string[]> => ({
  env: [`${name}=@`, `${name}="@"`],
  yaml: [`  ${name}: @`, `  ${name}: '@'`],
  json: [`{"${name}":"@","port":80}`, String.raw`"{\"${name}\": \"@\"}"`],
  log: [`INFO shop: ${name}=@ status=200`, `DEBUG ${name}: @, retry 1`],
  url: [`https://api.example.com/v1?page=2&${name}=@&k=1`],
  grep: [`config/shop.env:12:${name}=@`, `12:${name}: @`],
});

test('[SAFE-13b] a random value behind the name of a secret goes, whatever its letters and its length are', () => {
  const values = samples(secrets, 60);
  const found: Record<string, Share> = {};
  for (const name of names)
    for (const [place, share] of Object.entries(shares(values, named(name), leaks))) {
      const known = found[place] ?? { share: 0, wrong: [] };
      found[place] = {
        share: percent(known.share + share.share / names.length, 100),
        wrong: [...known.wrong, ...share.wrong],
      };
    }
  const spaced = shares(values, { spaced: ['api key=@', 'API key: @', 'secret key = @'] }, leaks);
  print(`left, behind ${names.length} names:`, { ...found, ...spaced });
  expect(above({ ...found, ...spaced }, 3)).toEqual({});
});

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const word = fc.constantFrom('shop', 'orders', 'payments', 'gateway', 'search', 'ledger');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Each with the places that it is really seen in. */
const lookAlikes: Record<string, [value: fc.Arbitrary<string>, lines: readonly string[]]> = {
  commit: [
    hex(40),
    [
      'commit @',
      'HEAD is now at @',
      'revision: @',
      '"sha": "@"',
      'image: shop:@',
      'GIT_COMMIT=@',
      'checked out @.',
      'deploy key fingerprint @',
      'secret scan of @ found nothing',
      'token check at @ ok',
    ],
  ],
  uuid: [
    uuid,
    [
      'request_id=@',
      'X-Request-Id: @',
      '"traceId":"@"',
      'session @ closed',
      'uid: @',
      'Idempotency-Key: @',
      'key=@ hit',
      'api_key_id=@',
      'token id @ expired',
      'secret_version: @',
      '"keyId": "@"',
      'access key id: @',
      'credentialId=@',
      'session: @',
    ],
  ],
  digest: [
    fc.string({ minLength: 3 }).map(digest),
    [
      'image: shop@sha256:@',
      'Digest: sha256:@',
      '"digest":"sha256:@"',
      'etag: "@"',
      'containerID: containerd://@',
      'key hash: @',
      'kid=@',
      'checksum/secret: @',
    ],
  ],
  trace: [
    hex(32),
    [
      'traceparent: 00-@-00f067aa0ba902b7-01',
      'trace_id=@',
      'etag: W/"@"',
      'cache key v1-npm-@ missed',
      'cache_key=@',
    ],
  ],
  request: [
    alphabet(upper + digits, 16),
    ['x-amz-request-id: @', 'RequestId: @, HostId', 'req=@ 200', 'requestId=@'],
  ],
  resourceVersion: [
    alphabet(digits, 9, 12),
    ['resourceVersion: "@"', 'generation=@', 'offset=@ lag=0', 'token_count=@', 'max_tokens: @'],
  ],
  data: [
    fc.record({ order: fc.nat(), state: word, at: fc.nat() }).map((value) => base64(JSON.stringify(value))),
    ['body=@', 'data: @', 'payload: "@"', 'decoded @ from the queue', 'continue: @', 'ca.crt: @'],
  ],
  secretName: [
    fc
      .tuple(
        word,
        fc.constantFrom('db', 'tls', 'api'),
        fc.constantFrom('credentials', 'secret', 'token', 'cert', 'auth'),
      )
      .map((parts) => parts.join('-')),
    [
      'secretName: @',
      'secret: @',
      'Error: secret "@" not found',
      'secretKeyRef: {name: @, key: password}',
      'MountVolume.SetUp failed for volume "@"',
      'Secret=@',
      'DB_SECRET=@',
      'existingSecret: @',
      'passwordSecret: @',
      'IMAGE_PULL_SECRET: @',
      'tls-secret=@',
      '"secretRef":{"name":"@"}',
      '--secret @',
      '--set auth.existingSecret=@',
      'kubectl delete secret @',
      'no key password in secret @',
      'credentials: @',
    ],
  ],
  generatedName: [
    fc
      .tuple(word, alphabet('bcdfghjklmnpqrstvwxz2456789', 9, 10), alphabet('bcdfghjklmnpqrstvwxz2456789', 5))
      .map((parts) => parts.join('-')),
    [
      'pod/@ evicted',
      'secret: @',
      'name: @',
      'default-token-@',
      'serviceAccountToken: @',
      'replicaset "@" created',
    ],
  ],
  helm: [
    fc.tuple(word, fc.nat(99)).map(([name, version]) => `sh.helm.release.v1.${name}.v${version}`),
    ['secret/@ created', 'secret: @', 'Secret @ is too long'],
  ],
  arn: [
    fc
      .tuple(word, alphabet(digits, 12), alphabet(mixed, 6))
      .map(([name, account, end]) => `arn:aws:secretsmanager:eu-west-1:${account}:secret:${name}/db-${end}`),
    ['secret: @', 'ResourceNotFoundException: @', '"secretArn": "@"'],
  ],
  instance: [hex(17), ['i-@ terminated', 'vol-@ attached', 'eni-@', 'subnet=subnet-@']],
  page: [
    alphabet(mixed, 24),
    ['next_token=@', 'nextPageToken: @', 'continuation_token: @', 'sync_token=@', 'cursor=@'],
  ],
};

test('[SAFE-13c] what only looks like a token stays as it is', () => {
  const found = Object.fromEntries(
    Object.entries(lookAlikes).map(([name, [value, lines]]) => {
      const { all } = shares(samples(value, 100), { all: lines }, (_, text) => redactor.text(text) !== text);
      return [name, all ?? { share: 100, wrong: [] }];
    }),
  );
  print('changed look-alikes:', found);
  expect(above(found, 5)).toEqual({});
});

test('of an ordinary log no form is looked for: one pass over it is all that the list costs', () => {
  const ids = samples(fc.tuple(uuid, hex(40), word), 500);
  const lines = ids.map(
    ([id, commit, name], index) =>
      `2026-11-22T10:00:${index % 60}.123Z INFO [http-nio-8080-exec-${index % 9}] c.e.shop.${name}.Controller request_id=${id} ` +
      `GET /api/v1/${name}/${index}?page=2 200 ${index % 300}ms commit=${commit} user=ann skipped=0`,
  );
  expect(tokenPatternsIn(lines.join('\n'))).toEqual([]);
  expect(tokenPatternsIn(`${lines.join('\n')} glpat-`)).not.toEqual([]);
});

test('[SAFE-13a] half a token at the end of a text that was cut goes too', () => {
  const tokens = tokenForms.flatMap(({ id, pattern }) =>
    id.startsWith('gitlab') ? samples(textOf(pattern), 2) : [],
  );
  for (const token of tokens.filter((text) => !text.startsWith('_')))
    expect(redactor.cutText(`upstream ${token.slice(0, 16)}`)).toBe('upstream [redacted:unfinished]');
});
