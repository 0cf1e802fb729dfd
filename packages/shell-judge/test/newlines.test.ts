// A newline within a word hides nothing behind it: what is no read is none with newlines in its words, either.
import { expect, test } from 'vitest';
import { isRead, judgeCommand } from '../src/index.ts';
import { adversarial } from './lists/adversarial.ts';

/** A word with "=" in plain letters, which the shell passes on unchanged. */
const plain = /(?<=\s)(-[\w-]+=)([\w./:@-]+)(?=\s|$)/g;

const lines = adversarial.filter((line) => !/['"\n]/.test(line) && line.search(plain) !== -1);

test('[SAFE-16a] the list holds lines with values', () => expect(lines.length).toBeGreaterThan(40));

test.each([
  ['before it', String.raw`$'$1\n$2'`],
  ['behind it', String.raw`$'$1$2\n'`],
  ['on both sides', String.raw`$'$1\n$2\n'`],
])('[SAFE-16a] no value of a line that is no read makes it one with a newline %s', (_, into) => {
  const turned = lines.map((line) => line.replaceAll(plain, into));
  expect(turned.filter((line) => isRead(judgeCommand(line)))).toEqual([]);
});

test.each([
  String.raw`git diff $'--output=/tmp/x\n'`,
  String.raw`git log $'--output=\n/tmp/x'`,
  String.raw`git log $'--ext-diff\n'`,
  String.raw`aws ec2 describe-instances $'--ca-bundle=/x\ny'`,
  String.raw`aws ec2 describe-instances $'--cli-input-json=\nfile:///etc/x'`,
  String.raw`docker ps $'--tlscacert=\n/x'`,
])('[SAFE-16a] not a read: %s', (line) => expect(judgeCommand(line)).not.toSatisfy(isRead));
