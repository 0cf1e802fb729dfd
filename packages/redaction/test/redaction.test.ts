import { describe, expect, test } from 'vitest';
import { credentialPatterns } from '../src/credential-patterns.ts';
import { createRedactor } from '../src/redaction.ts';

const secret = 'planted/secret+value 7&';
const redactor = createRedactor([secret, 'short', '']);

describe('known secrets', () => {
  test.each([
    ['as they are', secret],
    ['twice', `${secret}${secret}`],
    ['in JSON', JSON.stringify({ key: `a"${secret}"b` })],
    ['URL-encoded', encodeURIComponent(secret)],
    ['URL-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
    ['as a form value', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 after one byte', Buffer.from(`u${secret}`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`us${secret}tail`).toString('base64')],
    ['in base64 as Basic authentication', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64url', Buffer.from(`us${secret}x`).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in hex, in capitals', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in XML', secret.replace('&', '&amp;')],
    ['in the JSON of Go', JSON.stringify(secret).replace('&', String.raw`\u0026`)],
    ['in the JSON of PHP', JSON.stringify(secret).replaceAll('/', String.raw`\/`)],
    ['as a form value of Java', new URLSearchParams({ secret }).toString().slice('secret='.length)],
    ['in a URL that was escaped as a whole', encodeURI(secret)],
  ])('are taken out %s', (_name, text) => {
    const clean = redactor.text(`before ${text} after`);
    expect(clean).toContain('[redacted:');
    expect(clean).toMatch(/^before .* after$/);
    for (const known of ['planted', 'secret+', 'secret%2', 'value', Buffer.from('planted').toString('hex')]) {
      expect(clean).not.toContain(known);
    }
    // No six bytes of the secret are left in any alignment of base64.
    for (const piece of clean.split(/[^A-Za-z0-9+/_-]+/)) {
      expect(Buffer.from(piece, 'base64').toString('latin1')).not.toContain('planted');
    }
  });

  test('with quotes are taken out of JSON inside JSON, and of XML', () => {
    const quoted = createRedactor([`pa"ss'wo\\rd`]);
    const twice = JSON.stringify({ body: JSON.stringify({ key: `pa"ss'wo\\rd` }) });
    for (const text of [twice, `pa&quot;ss&#39;wo\\rd`, `pa&quot;ss&apos;wo\\rd`]) {
      expect(quoted.text(text)).toContain('[redacted:secret]');
      expect(quoted.text(text)).not.toMatch(/ss.*wo/);
    }
  });

  test('of several lines are known line by line', () => {
    const lines = [
      '-----BEGIN SOMETHING-----',
      'abcdefghij-klmnopqrstuvw',
      'short',
      '-----END SOMETHING-----',
    ];
    const multiline = createRedactor([lines.join('\n')]);
    expect(multiline.text(`2: ${lines[1]}\n3: short\n${lines[0]}`)).toBe(
      `2: [redacted:secret]\n3: short\n${lines[0]}`,
    );
  });

  test.each([0, 1, 2, 3])('of the shortest length are found in base64 after %i bytes', (before) => {
    const text = Buffer.from(`${'u'.repeat(before)}k3yw0r and more`).toString('base64');
    expect(createRedactor(['k3yw0r']).text(text)).toContain('[redacted:secret]');
  });

  test('that are too short to be secrets stay words', () => {
    expect(redactor.text('a short text')).toBe('a short text');
  });
});

describe('common credentials', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N';
  test.each([
    ['AWS key', 'key AKIAIOSFODNN7EXAMPLE used', 'key [redacted:aws-key] used'],
    [
      'AWS secret',
      'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG',
      'aws_secret_access_key = [redacted:password]',
    ],
    ['GitHub token', `ghp_${'a1'.repeat(18)}`, '[redacted:github-token]'],
    ['GitLab token', `glpat-${'a1'.repeat(10)}`, '[redacted:gitlab-token]'],
    ['Slack token', 'xoxb-123456789012-abcdef', '[redacted:slack-token]'],
    ['model key', `sk-ant-api03-${'aB3'.repeat(10)}`, '[redacted:api-key]'],
    ['Google key', `AIza${'b'.repeat(35)}`, '[redacted:google-key]'],
    ['JWT', `got ${jwt}.`, 'got [redacted:jwt].'],
    ['bearer header', 'Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted:authorization]'],
    [
      'basic header in JSON',
      '{"authorization":"Basic dXNlcjpwYXNz"}',
      '{"authorization":"Basic [redacted:authorization]"}',
    ],
    [
      'password in a URL',
      'postgres://app:hunter2@db:5432/shop',
      'postgres://app:[redacted:url-password]@db:5432/shop',
    ],
    [
      'password in a command',
      'mysql --password=hunter2 -u app',
      'mysql --password=[redacted:password] -u app',
    ],
    ['password with blanks', 'DB_PASSWORD: "two words"', 'DB_PASSWORD: "[redacted:password]"'],
    ['password that ends like a state', 'DB_PASSWORD: swordfish-ok', 'DB_PASSWORD: [redacted:password]'],
    [
      'password in escaped JSON',
      String.raw`{\"password\":\"hunter2\",`,
      String.raw`{\"password\":\"[redacted:password]\",`,
    ],
    [
      'private key',
      `x\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\ny`,
      'x\n[redacted:private-key, 3 lines]\ny',
    ],
    ['private key that was cut', `x -----BEGIN PRIVATE KEY-----\nMIIE`, 'x [redacted:private-key, 2 lines]'],
    [
      'the env of a container',
      '- name: DB_PASSWORD\n  value: hunter2secret\n- name: A',
      '- name: DB_PASSWORD\n  value: [redacted:password]\n- name: A',
    ],
    [
      'the same in JSON',
      '[{"name":"DB_PASSWORD","value":"hunter2secret"}]',
      '[{"name":"DB_PASSWORD","value":"[redacted:password]"}]',
    ],
    [
      'a key in base64',
      `tls.key: ${Buffer.from(`-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgk`).toString('base64')}\nx`,
      'tls.key: [redacted:private-key]\nx',
    ],
    ['XML', '<db:password>hunter2secret</db:password>', '<db:password>[redacted:password]</db:password>'],
    [
      'an option',
      'mysql -u root --password hunter2secret -h db',
      'mysql -u root --password [redacted:password] -h db',
    ],
    ['.netrc', 'machine h login u password hunter2secret', 'machine h login u password [redacted:password]'],
    ['redis.conf', 'requirepass hunter2secret\nport 1', 'requirepass [redacted:password]\nport 1'],
    ['DB_PASS', 'DB_PASS=hunter2', 'DB_PASS=[redacted:password]'],
    ['AccountKey', 'AccountName=a;AccountKey=abcdEFGH==;x', 'AccountName=a;AccountKey=[redacted:password];x'],
    ['password after $', 'PGPASSWORD=$ecretpass1', 'PGPASSWORD=[redacted:password]'],
    ['password after *', 'password: *Hunter2!secret', 'password: [redacted:password]'],
    ['password after %', 'password: %41hunter', 'password: [redacted:password]'],
    ['password after {', 'password: {hunter2', 'password: [redacted:password]'],
    ['password after [', 'password: "[hunter2!"', 'password: "[redacted:password]"'],
    ['password after <', 'password: <hun!ter2', 'password: [redacted:password]'],
    [
      'password with / in a URL',
      'redis://:p4ss/w0rd@host:6379/0',
      'redis://:[redacted:url-password]@host:6379/0',
    ],
    [
      'header in a list',
      '"Authorization": ["Bearer abcdefgh"]',
      '"Authorization": ["Bearer [redacted:authorization]"]',
    ],
    ['cookie', 'Set-Cookie: sid=abcdefgh; Path=/', 'Set-Cookie: [redacted:cookie]'],
  ])('%s', (_name, input, expected) => {
    expect(redactor.text(input)).toBe(expected);
    expect(redactor.text(expected), 'a second time').toBe(expected);
  });

  test.each([
    'max_tokens: 4096, tokens=123456789',
    'password: ${DB_PASSWORD}',
    'password: $DB_PASSWORD, "password": "{{ .Values.password }}"',
    'password=<your-password> password=%DB_PASSWORD% password=%(password)s',
    'password: ******** password=[REDACTED] password: xxxxxxxx',
    'password=null, password: required.',
    'use --password to set it; --password must be given; --password-file /run/x',
    'login failed: password incorrect',
    'the login attempt used a password which was wrong',
    'first_pass: 1234ms bypass=12345 compass: 12345',
    '- name: LOG_LEVEL\n  value: debug\n- name: TOKEN_TTL\n  value: "3600"',
    '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: {name: db}',
    'GET http://shop:8080/a/b?mail=x@y http://[::1]:8080/x@2',
    'git clone https://github.com/a/b@v1.2',
    'the key name = value pairs, name: pool value: 1000',
    '<passwordPolicy>strict</passwordPolicy>',
    `${'3f786850e387550fdab836ed7e6dc881'.repeat(2)}\n${'0a'.repeat(32)}\n${'b1'.repeat(32)}`,
    `-----BEGIN CERTIFICATE-----\n${`${'MIIDdzCC'.repeat(8)}\n`.repeat(4)}MIID==\n-----END CERTIFICATE-----`,
    `tls.crt: ${Buffer.from('-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgk').toString('base64')}`,
    'password required',
    'unexpected token: } in JSON',
    'GET http://shop:8080/cart?user=7@x',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    '2025-01-01T12:00:00Z pool exhausted: waiting 20 of 2',
    'the bearer of this token is authorised',
  ])('evidence stays: %s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  test('a JWT begins where its run of characters does: else each of many would be read to the end of the run', () => {
    const pattern = credentialPatterns.find(({ kind }) => kind === 'jwt')?.pattern ?? /^/;
    expect(jwt.search(pattern)).toBe(0);
    expect(`a-${jwt}`.search(pattern)).toBe(-1);
  });

  test('nor is a long value looked at for being a placeholder', () => {
    expect(redactor.text(`password=${'*'.repeat(100)}`)).toContain('***');
    expect(redactor.text(`password=${'*'.repeat(101)}`)).toBe('password=[redacted:password]');
  });

  // Each begins one of the patterns, and is in the run of characters that follows where that is possible.
  test.each([
    'eyJ',
    '-eyJ',
    '.eyJ',
    `eyJ${'a'.repeat(12)}.eyJ`,
    'AKIA',
    '-ghp_',
    'github_pat_',
    '-glpat-',
    '-xoxb-',
    '-sk-',
    'sk_live_',
    '-AIza',
    'npm_',
    'hvs.-',
    'hooks.slack.com/services/',
    'authorization:bearer ',
    'bearer ',
    'password="',
    "password='\\n",
    'password ',
    'password=$',
    'password=<.',
    '_pass=',
    'x_pass:',
    'name:password',
    'name: a_',
    'name=token\nvalue:',
    '<password>',
    '<a',
    '--password ',
    '-a',
    'login a password ',
    'login ',
    ' ',
    'requirepass ',
    'LS0tLS1CRUdJTi',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN X-----\n',
    `${'Ab0/'.repeat(16)}\n`,
    'Ab0/\n',
    'a:1:',
    'a:1:\n',
    'cookie:aaaaaaaa;',
    'cookie: ',
    'token: ',
    'secret ',
    'http://',
    'a://',
    'a://u:',
    'a://u:p/',
    'aa+',
    'a.-',
    'http ',
    "password '",
    'secret="',
    'a:b@tcp(',
    'mysql x -p',
    '${A:-',
    'password: |\n  ',
    "'passwd:' and ",
    'net use a /user:',
    'rabbitmqctl add_user ',
    'htpasswd -b ',
    ' -A ',
    'echo "',
    'password for ',
    "curl -u 'a:",
    '://aB1',
    '-----BEGIN PRIVATE KEY-----\nshort\n',
    'mysql\n  -u\n',
    '"--password", ',
    '[--token, ',
    'value: a\n',
    '"value": {"stringValue":"x"}, "name": "',
    'value: [[[[{',
    'user,password\n',
    '---+---\n',
    ' a | password \n---+---\n',
    'basic_auth=a:',
    'X-A-B-C-',
    'password:\n',
    'chpasswd <<EOF\na:[redacted:password]\n',
    'Cookie: theme=a; ',
    'secret_',
  ])('a megabyte of %j come through', (piece) => {
    expect(redactor.cutText(piece.repeat(1_048_576 / piece.length)).length).toBeGreaterThan(0);
  });
});

describe('[SAFE-05] text that was cut', () => {
  test.each([
    ['a known secret', `key ${secret.slice(0, -1)}`, 'key [redacted:secret]'],
    ['eight characters of it', `key ${secret.slice(0, 8)}`, 'key [redacted:secret]'],
    ['in base64', `x ${Buffer.from(secret).toString('base64').slice(0, 12)}`, 'x [redacted:secret]'],
    ['fewer', `key ${secret.slice(0, 7)}`, `key ${secret.slice(0, 7)}`],
    ['a GitHub token', 'got ghp_a1B2a1B2', 'got [redacted:unfinished]'],
    ['a JWT', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOi', 'got [redacted:unfinished]'],
    ['an AWS key', 'id=AKIAIOSFOD', 'id=[redacted:unfinished]'],
    ['a password in a URL', 'redis://u:hunter', 'redis://u:[redacted:unfinished]'],
    ['a port', 'http://shop:80', 'http://shop:80'],
    ['a word', 'waiting for the task-', 'waiting for the task-'],
    ['nothing', '', ''],
  ])('%s', (_name, input, expected) => {
    expect(redactor.cutText(input)).toBe(expected);
    expect(redactor.cutText(`${input} and more`), 'elsewhere').toBe(redactor.text(`${input} and more`));
  });

  test.each([64, 70, 76])('lines of a key without its beginning, %i wide', (width) => {
    const lines = `${`${'aB3/'.repeat(19).slice(0, width)}\n`.repeat(3)}aB3/aB==`;
    expect(redactor.text(lines)).toBe('[redacted:key-lines, 4 lines]');
    expect(redactor.text(`x\n${lines}\n-----END RSA PRIVATE KEY-----`)).toBe(
      'x\n[redacted:key-lines, 4 lines]\n-----END RSA PRIVATE KEY-----',
    );
    const [line = ''] = lines.split('\n');
    expect(redactor.text(`id_rsa:2:${line}`)).toBe('id_rsa:2:[redacted:key-lines]');
    expect(redactor.text(line)).toBe(line);
  });
});

test('JSON is cleaned in strings and keys, and a password is known by its key', () => {
  expect(
    redactor.json({
      password: 'hunter2',
      env: { name: 'DB_PASSWORD', value: 'hunter2' },
      n: 3,
      list: [secret, null],
      [secret]: true,
      pool: 'hunter2',
    }),
  ).toEqual({
    password: '[redacted:password]',
    env: { name: 'DB_PASSWORD', value: '[redacted:password]' },
    n: 3,
    list: ['[redacted:secret]', null],
    '[redacted:secret]': true,
    pool: 'hunter2',
  });
});

test('[SAFE-05] the key of a local server, read again and again, takes no learned one away', () => {
  const learning = createRedactor([]);
  learning.learn(secret);
  for (let request = 0; request < 100; request++) learning.learn('EMPTY');
  expect(learning.text(`key ${secret}`)).toBe('key [redacted:secret]');
});

test('[SAFE-05] a configured secret is never forgotten for learned ones, and a rotated one stays known with the value before', () => {
  const learning = createRedactor([]);
  learning.learn('first-value', 'token');
  learning.learn('other-value', 'other');
  for (let count = 0; count < 200; count++) learning.learn(`hourly-key-${count}`);
  learning.learn('second-value', 'token');
  expect(learning.text('first-value second-value other-value')).toBe(
    '[redacted:secret] [redacted:secret] [redacted:secret]',
  );
  // of the unnamed ones the newest are left
  expect(learning.text('hourly-key-199 hourly-key-1 ')).toBe('[redacted:secret] hourly-key-1 ');
  for (let count = 0; count < 10; count++) learning.learn(`rotated-${count}-value`, 'token');
  expect(learning.text('rotated-9-value rotated-8-value rotated-1-value')).toBe(
    '[redacted:secret] [redacted:secret] rotated-1-value',
  );
});

test('a configured secret stays known when it was learned without its name before', () => {
  const learning = createRedactor([]);
  learning.learn('same-value');
  learning.learn('same-value', 'token');
  for (let count = 0; count < 200; count++) learning.learn(`hourly-key-${count}`);
  expect(learning.text('same-value')).toBe('[redacted:secret]');
});

test('[SAFE-13h] a value that one place names goes elsewhere, too, but not one that may be a name', () => {
  const { text } = createRedactor([]);
  expect(text("password=Shop-pw-77 failed; tried with 'Shop-pw-77'\nShop-pw-77")).toBe(
    "password=[redacted:password] failed; tried with '[redacted:password]'\n[redacted:password]",
  );
  for (const name of ['checkout-7d9f', 'root@db-1.shop', '10.0.0.3:5432', '7f3a9c2b1d0e', 'production'])
    expect(text(`password=${name}\nhost ${name} is down`)).toContain(`host ${name} is down`);
});

test('[SAFE-13f] in JSON a value is known by a name beside it, by the type of OpenTelemetry, and by the option before it', () => {
  const mark = '[redacted:password]';
  const pairs = (value: string) => [
    { value, Name: 'DB_PASSWORD' },
    { ParameterKey: 'DbPassword', ParameterValue: value },
    { key: 'db.password', value: { stringValue: value } },
    { value: { arrayValue: { values: [{ stringValue: value }] } }, key: 'api.key' },
    { Args: ['--user', 'app', '--db-password', value, '-v'], Cmd: ['redis-cli', '-a', value, 'ping'] },
    [['mysql', '-u', 'root', `-p${value}`, 'shop']],
    { passwords: [value, value] },
    { kty: 'EC', crv: 'P-256', d: value },
  ];
  const expected = JSON.stringify(pairs('X')).replaceAll('X', mark);
  expect(JSON.stringify(redactor.json(pairs('harbour-3x')))).toBe(expected);
  const open = [
    { name: 'LOG_LEVEL', value: 'debug' },
    { key: 'db.system', value: { stringValue: 'postgresql' } },
    { d: 'harbour-3x', tokens: [1, 2], secrets: ['shop-db2', 'shop-tls'] },
    { args: ['--secret-name', 'shop-tls', '-p', '8080', '--password-file', '/run/secrets/pw'] },
  ];
  expect(redactor.json(open)).toEqual(open);
});
