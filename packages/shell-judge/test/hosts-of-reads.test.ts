// Which hosts a read reaches: a word that may be an address counts in every program that can open one.
import { describe, expect, test } from 'vitest';
import { flagTable, type CommandSpec } from '../src/command-spec.ts';
import { isRead, judgeCommand } from '../src/index.ts';
import { table } from '../src/table/table.ts';
import { openers } from './lists/openers.ts';
import { opensNothing } from './lists/opens-nothing.ts';

function hostsOf(command: string): string[] {
  const judgement = judgeCommand(command);
  if (!judgement.ok) throw new Error(judgement.reason);
  expect([command, isRead(judgement)]).toEqual([command, true]);
  return judgement.actions.flatMap(({ hosts = [] }) => hosts);
}

describe('[MODE-13a] a read that may open an address', () => {
  test.each(openers)('%s names %s', (command, host) => {
    expect(hostsOf(command)).toEqual([host]);
  });

  test.each([
    'openssl x509 -in cert.pem -noout',
    'openssl x509 -in "/etc/ssl/$name" -noout',
    'for f in /etc/ssl/*.pem; do openssl x509 -in "$f" -noout -enddate; done',
    'for f in a.pem b.pem; do openssl x509 -in "$f" -noout -enddate; done',
    'openssl verify -CAfile /etc/ssl/ca.pem ./*.pem',
    'for port in 80 443; do lsof -nP -i ":$port"; done',
    'lsof -i "tcp:$port"',
    'lsof "$file"',
    'aws s3 ls',
    'aws s3 ls --output json --page-size 5',
    'aws ec2 describe-instances --instance-ids i-1',
    'az vm list -g shop',
    'kubectl get pods -n "$ns"',
    'echo http://evil.example/ | grep -c http://evil.example',
    'git log --grep http://evil.example/',
    "curl -A 'check (+https://about.example)' http://127.0.0.1/",
  ])('%s names none', (command) => {
    expect(hostsOf(command).filter((host) => host !== '127.0.0.1')).toEqual([]);
  });

  // whoever adds a program reads its manual, and puts it on the list only where no option of it opens an address
  test('is every program of the tables but those that open none by their manuals', () => {
    const silent = Object.keys(table).filter((name) => linesOf(name, table[name] ?? {}).some(isSilentRead));
    expect(silent.filter((name) => !opensNothing.has(name))).toEqual([]);
    // no entry is left over
    expect([...opensNothing].filter((name) => !silent.includes(name))).toEqual([]);
  });
});

const address = 'http://evil.example/x';

/** It reads, with an address among its words, and names no host. */
function isSilentRead(line: string): boolean {
  const judgement = judgeCommand(line);
  if (!judgement.ok || !isRead(judgement)) return false;
  return judgement.actions.every(({ hosts = [] }) => !hosts.includes('evil.example'));
}

/** The program and its sub-commands, with the address as operand and as the value of each option. */
function linesOf(path: string, spec: CommandSpec, inherited = ''): string[] {
  if (spec.changes !== undefined) return [];
  const flags = spec.flags === 'any' ? 'any' : `${inherited} ${spec.flags ?? ''}`;
  const options = [...flagTable(flags).arity].flatMap(([name, arity]) => (arity === 'none' ? [] : [name]));
  const inner = Object.entries(spec.subcommands ?? {}).flatMap(([name, child]) =>
    linesOf(`${path} ${name}`, child, flags === 'any' ? '' : flags),
  );
  const given = options.flatMap((name) => [`${path} ${name} ${address}`, `${path} ${name}=${address}`]);
  return [`${path} ${address}`, ...given, ...inner];
}
