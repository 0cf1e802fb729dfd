// Every rule of redaction takes a bounded part of a text, whatever stands in it: nothing behind a secret gets lost.
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../src/redaction.ts';
import { boundOf, rulesFor, takenBy } from '../src/redact-patterns.ts';

const redactor = createRedactor([]);
const log = '2026-11-22T10:00:01Z ERROR shop: no connection to db1:5432';
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
}).privateKey.trim();
const [begin = '', ...rest] = rsa.split('\n');
const body = rest.slice(0, -1);
const end = rest.at(-1) ?? '';
const lines = (text: string): number => text.split('\n').length;

test('[FAULT-110a] a first line of a private key without a body takes nothing of what follows', () => {
  for (const text of [
    `${begin}\n${log}\n${log}\n[Exit code 1.]`,
    `cat: ${begin}: is no file\n[Exit code 1.]`,
    `${begin}\nrestarting\ndone\n/etc/ssl/private/server1.key\n[Exit code 0.]`,
    `${begin}\n\n${'a line of words\n'.repeat(500)}[Exit code 0.]`,
    `${begin} ${begin} ${begin}\nPID USER\n1 root`,
    `${begin}\n3f786850e387550fdab836ed7e6dc881de23001b  key.pem`,
  ])
    expect(redactor.text(text)).toBe(text);
});

test.each([
  ['whole', (line: string) => line],
  ['indented', (line: string) => `    ${line}`],
  ['as grep shows it', (line: string, at: number) => `etc/ssl/key.pem:${at + 1}:${line}`],
  ['as grep -n shows it', (line: string, at: number) => `${at + 1}:${line}`],
  ['as cat -n shows it', (line: string, at: number) => `    ${at + 1}\t${line}`],
  ['in a diff', (line: string) => `+${line}`],
  ['removed in a diff', (line: string) => `-${line}`],
  ['from a log of containers', (line: string) => `shop-1  | ${line}`],
  ['behind times', (line: string) => `2026-11-22T10:00:01.123Z host1 shop[12]: ${line}`],
  ['quoted in a mail', (line: string) => `> ${line}`],
  ['in code', (line: string) => `  "${line}\\n" +`],
  ['in a box', (line: string) => `| ${line.padEnd(64)} |`],
  ['in a drawn box', (line: string) => `│ ${line.padEnd(64)} │`],
  [
    'in records of a log',
    (line: string) => `{"log":"${line}\\n","stream":"stdout","time":"2026-11-22T10:00:01.123Z"}`,
  ],
  ['in messages of a log', (line: string) => `{"level":"info","msg":"${line}"}`],
])('[FAULT-110b] the body of a key goes %s, and the mark says how many lines it was', (_name, show) => {
  for (const key of [
    rsa,
    [begin, 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,0A1B', '', ...body, end].join('\n'),
  ]) {
    const shown = key.split('\n').map(show).join('\n');
    const clean = redactor.text(`${log}\n${shown}\n${log}\n[Exit code 0.]`);
    for (const line of body) expect(clean).not.toContain(line.slice(0, 20));
    expect(clean).toContain(`[redacted:private-key, ${lines(key)} lines]`);
    expect(clean.startsWith(`${log}\n`)).toBe(true);
    expect(clean.endsWith(`\n${log}\n[Exit code 0.]`)).toBe(true);
  }
});

test.each([
  ['its end', [begin, ...body]],
  ['its last lines', [begin, ...body.slice(0, 9)]],
  ['all but half a line', [begin, body[0]?.slice(0, 30) ?? '']],
])('[FAULT-110b] a key without %s goes, and the log behind it stays', (_name, part) => {
  const clean = redactor.text(`${part.join('\n')}\n${log}\ndone\n[Exit code 0.]`);
  expect(clean).toBe(`[redacted:private-key, ${part.length} lines]\n${log}\ndone\n[Exit code 0.]`);
});

test.each([
  ['escaped', `{"key":"${rsa.replaceAll('\n', String.raw`\n`)}\\n","port":80}`],
  ['escaped twice', String.raw`{\"key\":\"${rsa.replaceAll('\n', String.raw`\\n`)}\",\"port\":80}`],
  ['with spaces', `KEY="${rsa.replaceAll('\n', ' ')}" port 80`],
  ['in a query', `GET /?k=${rsa.replaceAll('\n', '%0A')}&port=80`],
  ['without line ends', `KEY=${rsa.replaceAll('\n', '')} port 80`],
])('[FAULT-110b] a key on one line goes: %s', (_name, text) => {
  const clean = redactor.text(text);
  for (const line of body) expect(clean).not.toContain(line.slice(0, 20));
  expect(clean).toContain('[redacted:private-key]');
  expect(clean).toMatch(/port\W+80/);
});

/** Pieces that begin, continue and end secrets of every rule, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    begin,
    end,
    '-----BEGIN PGP PRIVATE KEY BLOCK-----',
    '-----BEGIN CERTIFICATE-----',
    'Proc-Type: 4,ENCRYPTED',
    'password: ',
    'password:\n  ',
    '--password ',
    '- --password\n- ',
    '"--token", "',
    '{"name":"DB_PASSWORD","value":"',
    'value: ',
    'name: DB_PASSWORD',
    'user,password\n',
    ' id | password \n----+---\n',
    'NAME   TOKEN\n',
    'a,b\n',
    ' 1 | b \n',
    'Authorization: Bearer ',
    'Cookie: a=',
    'Set-Cookie: ',
    'mysql -u root -p',
    'curl -u a:',
    'chpasswd <<EOF\n',
    'BASIC_AUTH=a:',
    'passwords:\n  - ',
    '"api_keys": [',
    "INSERT INTO t (a, password) VALUES ('",
    "', '",
    'USER a\nPASS ',
    'password is ',
    '<td>password</td><td>',
    '│ a │ password │\n├───┼───┤\n',
    '{"log":"',
    '\\n","stream":"stdout"}\n',
    'https://discord.com/api/webhooks/1/',
    '"kty":"EC","d":"',
    '_auth=',
    'X-Vault-Token: ',
    'ops_eyJ',
    'glpat-',
    'hvb.',
    '<password>',
    '</password>',
    '://u:',
    '@db',
    '"',
    "'",
    '`',
    '\\',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ';',
    '&',
    '|',
    ',',
    '=',
    ': ',
    log,
  ),
  fc.constantFrom(...body),
  fc
    .constantFrom('aB3/'.repeat(20), 'aB3+', 'x', '9', 'QUJD')
    .chain((text) => fc.integer({ min: 1, max: 600 }).map((n) => text.repeat(n))),
  fc.integer({ min: 1, max: 400 }).map((count) => `${body[1]}\n`.repeat(count)),
  fc.string({ maxLength: 12 }),
);
const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

test('[FAULT-110c] no input makes any rule take more than its bound', () => {
  const over: string[] = [];
  fc.assert(
    fc.property(text, (input) => {
      for (const rule of rulesFor(input))
        for (const { from, to } of takenBy(rule, input)) {
          const taken = { lines: lines(input.slice(from, to)), characters: to - from };
          if (taken.lines > rule.lines || taken.characters > boundOf(rule))
            over.push(`${rule.kind}: ${JSON.stringify(taken)}`);
        }
      expect(over).toEqual([]);
    }),
    { numRuns: 300, seed: 20_261_129 },
  );
});

test('[FAULT-110c] what follows a secret after its bound is there as it was, and the order of lines is kept', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 9 }), (input, id) => {
      const rows = Array.from({ length: 250 }, (_, at) => `row ${id}-${at} of the log is here.`);
      const clean = redactor.text(`${input}\n\n${rows.join('\n')}\n[Exit code 0.]`);
      expect(clean.endsWith(`${rows.slice(206).join('\n')}\n[Exit code 0.]`)).toBe(true);
    }),
    { numRuns: 150, seed: 20_261_129 },
  );
});

test('[FAULT-110c] the work grows with the text, whatever it repeats', () => {
  const pieces = [
    `${begin}\n`,
    `${begin}\nshort\n`,
    `${begin}\n${body[1]}\n`,
    `${body[1]}`,
    '-',
    ' ',
    '\\',
    '"\'',
    'mysql\n  -u\n',
    '"--password", ',
    '[--token, ',
    'name: ',
    'value: [[[[{',
    '"value": {"stringValue":"x"}, "name": "',
    'user,password\n',
    ' a | password \n---+---\n',
    'NAME  TOKEN\n',
    'basic_auth=a:',
    'X-A-B-C-',
    'a.password ',
    'password:\n',
    'token a b c',
    'Cookie: theme=a; ',
    'glpat-',
    'key,',
    'passwords: a1,',
    'tokens:\n - b2c3d4\n',
    "INSERT INTO t (password) VALUES ('",
    "('a1', ",
    "INSERT INTO t (a) VALUES (f('",
    'INSERT INTO t (a, b) VALUES (f(g(',
    'USER a\nPASS ',
    'password is ',
    '<td>password</td>',
    '{"log":"aB3/',
    '"d":"aaaaaaaaaaaaaaaaaaaaaaaaaaa1",',
  ];
  /** Microseconds of CPU for `size` characters of a piece: the least of three, as a collection of garbage may fall into any. */
  const work = (piece: string, size: number): number => {
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      redactor.text(piece.repeat(Math.ceil(size / piece.length)));
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };
  // 16 times the text: a quadratic rule would make it 256
  const steep = pieces.filter((piece) => work(piece, 65_536) > 60 * work(piece, 4_096));
  expect(steep).toEqual([]);
});

/** Lines of logs and of tables of operations, with `|` between what may be columns. */
const logs: Record<string, string[]> = {
  syslog: [
    'Nov 22 10:00:01 web-1|sshd[812]|Failed publickey for root from 10.0.0.7|port22',
    'Nov 22 10:00:02 web-1|kernel|Out of memory: Killed process 812|oom2',
  ],
  'with levels': ['shop-api|ERROR|db1-primary7 refused|E5001x', 'shop-api|WARN|retry2of3|worker12x'],
  'with levels in small letters': ['shop-api|error|pool-exhausted3a|abc123de', 'api|info|started|abc123de'],
  JSON: [
    '{"time":"2026-11-22T10:00:01Z"|"level":"error"|"code":"E5001abc"|"host":"db7x"}',
    '{"msg":"disk full"|"host":"db7x"|"free":"0b"|"n":1}',
  ],
  nginx: ['10.0.0.3|[22/Nov/2026:10:00:01 +0000]|GET /cart HTTP/1.1|502', '10.0.0.3|-|POST /a1b2c3|499x7'],
  access: ['10.0.0.3|/api/v1/orders|503|0.213', '10.0.0.4:51122|/health|200|12ms'],
  CSV: ['1|disk full on /var|critical|9a8b7c6d', '2|connection refused|db-3|db1.internal:5432'],
  'of services': [
    'web|timeout|redis-1|30s',
    'web|OOMKilled|137|checkout-7d9f8b6c5-x2x4z',
    'web|ORA-01017|x|y',
  ],
  logfmt: ['ts=1763805601|msg=refused|code=500ab|host=db7x', 'ts=1763805602|msg=x|took=12s|try=a1b2'],
  klog: ['E1122 10:00:01.1|reflector.go:147|a1b2c3d4|watch3closed', 'E1122 10:00:02.1|a|b1b2b3b4|c'],
  measures: ['cpu|93.5%|1763805601|2026-11-22', 'mem|512Mi|10:00:01|v1.29.3', 'disk|/dev/sda1|99%|node-3'],
};

test.each(Object.entries(logs))(
  '[FAULT-110e] one header line hides nothing of the lines behind it: %s',
  (_name, rows) => {
    for (const sign of ['|', ' | ', ',', ';', '\t'])
      for (let column = 0; column < 4; column++)
        for (const name of ['password', 'API key', 'DB_PASSWORD', 'token']) {
          const titles = ['id', 'name', 'value', 'state'].with(column, name);
          const lines = rows.map((row) => row.split('|').join(sign));
          const shown = [titles.join(sign), ...lines, ...lines].join('\n');
          for (const whole of [shown, `\n\n${shown}`, `${lines.join('\n')}\n${shown}`])
            expect(redactor.text(whole)).toBe(whole);
        }
  },
);

test('[FAULT-110e] aligned columns of operations stay below a header of any names', () => {
  for (const name of ['PASSWORD', 'TOKEN']) {
    const text = [
      `NAMESPACE  ${name.padEnd(28)}READY  STATUS            AGE`,
      'shop       checkout-7d9f8b6c5-x2x4z    0/1    CrashLoopBackOff  3m',
      'shop       db-0                        1/1    Running           21d',
      'shop       evicted                     0/1    Error             21d',
    ].join('\n');
    expect(redactor.text(text)).toBe(text);
  }
});

test.each([
  ['300 rows without a ruler', 'user,password', '', 300],
  ['2,000 rows with one, itself counted', ' user | password \n------+----------', ' ', 1_999],
])('[FAULT-110f] a header stands for at most %s', (_name, header, blank, most) => {
  const sign = header.includes('|') ? '|' : ',';
  const rows = Array.from({ length: 2_100 }, (_, at) => `${blank}u${at}${blank}${sign}${blank}hunter${at}x`);
  const clean = redactor
    .text(`${header}\n${rows.join('\n')}`)
    .split('\n')
    .slice(-rows.length);
  expect(clean.filter((row) => row.includes('[redacted:'))).toHaveLength(most);
  expect(clean.slice(most)).toEqual(rows.slice(most));
});

test('[FAULT-110f] a row with another number of cells ends a table, drawn or not', () => {
  for (const [header, row, other] of [
    ['user,password', 'ann,hunter2x', 'bob,hunter3x,db1'],
    [' user | password \n------+----------', ' ann | hunter2x', ' bob | hunter3x | db1'],
  ]) {
    const text = `${header}\n${row}\n${other}\n${row}`;
    expect(redactor.text(text)).toBe(text.replace('hunter2x', '[redacted:password]'));
  }
});

test('[FAULT-110f] an INSERT stands for at most 2,000 rows', () => {
  const rows = Array.from({ length: 2_100 }, (_, at) => `('u${at}', 'hunter${at}x')`);
  const clean = redactor.text(`INSERT INTO users (name, password) VALUES ${rows.join(', ')}`);
  expect(clean.split('[redacted:password]')).toHaveLength(2_001);
  expect(clean.endsWith(rows.slice(2_000).join(', '))).toBe(true);
});

test('[FAULT-110f] a line of a log is no neighbour of a table without a ruler, and ends it', () => {
  const table = 'user,password\nann,hunter2x';
  const clean = 'user,password\nann,[redacted:password]';
  expect(redactor.text(`${table}\n${log},x\nbob,hunter3x`)).toBe(`${clean}\n${log},x\nbob,hunter3x`);
  expect(redactor.text(`${log}\n${table}`)).toBe(`${log}\n${table}`);
  expect(redactor.text(`done\n${table}`)).toBe(`done\n${clean}`);
  const drawn = ' user | password \n------+----------\n ERROR | hunter2x\n bob | hunter3x';
  expect(redactor.text(`${log}\n${drawn}`)).toBe(
    `${log}\n${drawn.replaceAll(/hunter.x/g, '[redacted:password]')}`,
  );
});

test('[FAULT-110f] a word and words are taken only out of a table that is drawn', () => {
  expect(redactor.text('user,password\nann,monkeys')).toBe('user,password\nann,monkeys');
  const drawn = '| user | password |\n|---|---|\n| ann | monkeys |\n| bob | of words |\n| eve | timeout |';
  expect(redactor.text(drawn)).toBe(
    drawn.replace('monkeys', '[redacted:password]').replace('of words', '[redacted:password]'),
  );
});
