// Which hosts a read reaches: a word that may be an address counts in every program that can open one.
import { describe, expect, test } from 'vitest';
import { flagTable, type CommandSpec } from '../../../src/activities/shell/command-spec.ts';
import { judgeCommand } from '../../../src/activities/shell/judge-command.ts';
import { table } from '../../../src/activities/shell/table/table.ts';
import { inspectCommand } from '../../../src/activities/tools/built-in/bash-facts.ts';
import type { PolicyRule } from '../../../src/core/model/tool-spec.ts';
import { decidePolicy } from '../../../src/core/tools/policy.ts';
import { isRead } from '../../../bench/policy-counts.ts';
import { shellSettings } from '../../support/shell.ts';
import { opensNothing } from './lists/opens-nothing.ts';

function hostsOf(command: string): string[] {
  const judgement = judgeCommand(command);
  if (!judgement.ok) throw new Error(judgement.reason);
  expect([command, isRead(judgement)]).toEqual([command, true]);
  return judgement.actions.flatMap(({ hosts = [] }) => hosts);
}

function decide(command: string, hosts: string[], rules: PolicyRule[] = []): string {
  const { actions = [] } = inspectCommand(command, '/', shellSettings({ network: true }, { hosts }));
  return decidePolicy({ tool: 'bash', effect: 'once', actions }, rules, { mode: 'act' }).decision;
}

describe('[MODE-13] a read that may open an address', () => {
  test.each([
    ['openssl x509 -in http://evil.example/x -noout', 'evil.example'],
    ['openssl x509 -in=https://evil.example:8443/x', 'evil.example'],
    ['openssl crl -in http://evil.example/x -noout', 'evil.example'],
    ['openssl verify http://evil.example/x', 'evil.example'],
    ['openssl verify -untrusted http://evil.example/x /etc/ssl/a.pem', 'evil.example'],
    ['aws s3 ls s3://evil/x', 'evil.s3.amazonaws.com'],
    ['aws s3 ls evil --recursive', 'evil.s3.amazonaws.com'],
    ['aws --region x s3 ls --recursive evil/x', 'evil.s3.amazonaws.com'],
    ['aws s3 ls --recurs s3://evil', 'evil.s3.amazonaws.com'],
    ['aws s3 ls --no-cli-auto-prompt evil', 'evil.s3.amazonaws.com'],
    ['aws s3 ls --profile ops evil', 'evil.s3.amazonaws.com'],
    ['aws s3api list-objects-v2 --bucket evil --prefix x', 'evil.s3.amazonaws.com'],
    ['aws s3api list-objects-v2 --buck=evil', 'evil.s3.amazonaws.com'],
    ['gcloud storage objects list gs://evil/x', 'evil.storage.googleapis.com'],
    ['az storage blob list -c x --account-name evil', 'evil.blob.core.windows.net'],
    ['az storage blob list -c x --ac evil', 'evil.blob.core.windows.net'],
    ['az acr repository list -n evil', 'evil.azurecr.io'],
    ['az acr repository list -nevil', 'evil.azurecr.io'],
    ['tcpdump -c 1 -i rpcap://evil.example/eth0', 'evil.example'],
    ['nslookup -type evil.example', 'evil.example'],
    ['for name in @evil.example; do lsof -i "$name"; done', 'evil.example'],
  ])('%s names %s, so that http.allow and rules by host decide', (command, host) => {
    expect(hostsOf(command)).toEqual([host]);
    expect(decide(command, [])).toBe('ask');
    expect(decide(command, [host])).toBe('allow');
    expect(decide(command, [host], [{ tool: 'bash', host: '*', decision: 'deny' }])).toBe('deny');
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
    'aws s3 ls --region eu-west-1 --page-size 5',
    'aws ec2 describe-instances --instance-ids i-1',
    'az vm list -g shop',
    'kubectl get pods -n "$ns"',
    'echo http://evil.example/ | grep -c http://evil.example',
    'git log --grep http://evil.example/',
    "curl -A 'check (+https://about.example)' http://127.0.0.1/",
  ])('%s names none', (command) => {
    expect(hostsOf(command).filter((host) => host !== '127.0.0.1')).toEqual([]);
  });

  test.each([
    'aws s3 ls "s3://b/$(cat /etc/passwd)"',
    'openssl x509 -in "$f"',
    'gcloud projects list --filter "$x"',
  ])('%s asks in mode act too: which host it reaches is not known', (command) => {
    expect(decide(command, ['b.s3.amazonaws.com'])).toBe('ask');
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
