// Secrets where a tool's text is cut: half of one matches no pattern, and the inside of a key looks like nothing.
import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createGrepTool } from '../../../../src/activities/built-in/files/grep.ts';
import type { FileAccess } from '../../../../src/activities/built-in/files/file-roots.ts';
import { createReadTool } from '../../../../src/activities/built-in/files/read.ts';
import type { RegisteredTool } from '../../../../src/activities/tools/define-tool.ts';
import type { JsonObject } from '@holdfast/base/json';
import { fakeTool, temporaryFolder, toolBench } from '../../../support/tool-calls.ts';

const secret = 'planted-secret-value';
let root = '';
beforeEach(async () => {
  root = await temporaryFolder();
});

async function call(create: (access: FileAccess) => RegisteredTool, args: JsonObject): Promise<string> {
  return (await toolBench(create({ roots: [root] }), { secrets: [secret] })).text(args);
}

describe('[SAFE-05] half a secret', () => {
  test('in a long error is not left by cutting it', async () => {
    const tool = fakeTool(() => Promise.reject(new Error(`${'x'.repeat(3_990)} ${secret}`)));
    const text = await (await toolBench(tool, { secrets: [secret] })).text({});
    expect(text).toMatch(/x \[redacted:secret\]$/);
  });

  test('where grep cuts a long line', async () => {
    await writeFile(join(root, 'long.json'), `${'y'.repeat(1_985)} ${secret} y\n`);
    const text = await call(createGrepTool, { pattern: '^y' });
    expect(text).toMatch(/^long\.json:1:y+ \[redacted:secret\] \[\.\.\. /);
  });

  test('where grep shows the surroundings of a hit in a long line', async () => {
    // the window before the hit begins inside the secret, and the one after it ends inside another
    const inside = secret.slice(0, 10).length;
    const between = `${' z'.repeat(2_000)}`.slice(0, 1_500 - (secret.length - inside));
    await writeFile(
      join(root, 'long.json'),
      `${'y '.repeat(3_000)}${secret}${between}HIT${' z'.repeat(345)} ${secret} ${'y '.repeat(500)}\n`,
    );
    const text = await call(createGrepTool, { pattern: 'HIT' });
    expect(text).toContain(' z zHIT z z'.slice(2));
    for (const part of [secret.slice(0, 8), secret.slice(-8)]) expect(text).not.toContain(part);
  });

  test('where read continues inside a line', async () => {
    const before = 'y'.repeat(1024 * 1024 - 15);
    await writeFile(join(root, 'long.json'), `${before} ${secret} ${'z '.repeat(100)}\n`);
    for (const byte of [before.length + 10, before.length + 6]) {
      const text = await call(createReadTool, { path: 'long.json', byte });
      expect(text).toMatch(/^ z z/);
    }
    const next = await call(createReadTool, { path: 'long.json', byte: 1024 * 1024 - 2_000 });
    expect(next).toMatch(/^y* \[redacted:secret\] z z/);
  });

  test('where read cuts at 1 MiB', async () => {
    await writeFile(join(root, 'long.json'), `${'y'.repeat(1024 * 1024 - 15)} ${secret}\n`);
    const text = await call(createReadTool, { path: 'long.json' });
    expect(text).toMatch(/y \[redacted:secret\]\n\[lines 1 to 1 of 1, the last one cut at 1 MiB/);
  });
});

test('[SAFE-05] a private key is not shown from its second line on, by read or by grep', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await writeFile(join(root, 'id_rsa'), privateKey);
  await writeFile(join(root, 'notes.txt'), `notes\n${privateKey}`);
  const lines = privateKey.split('\n').slice(1, -2);
  const answers = [
    await call(createReadTool, { path: 'id_rsa' }),
    await call(createReadTool, { path: 'id_rsa', offset: 2 }),
    await call(createReadTool, { path: 'id_rsa', offset: 9, limit: 1 }),
    await call(createReadTool, { path: 'id_rsa', offset: -3 }),
    await call(createReadTool, { path: 'notes.txt', offset: 3, limit: 9 }),
    await call(createGrepTool, { pattern: '^[A-Za-z0-9+/=]{64,}$' }),
    await call(createGrepTool, { pattern: '^MII', context: 20, path: 'notes.txt' }),
  ];
  for (const answer of answers) for (const line of lines.slice(0, -1)) expect(answer).not.toContain(line);
  expect(answers[1]).toBe('This file begins with a private key: it is read from line 1 only.');
});
