// The tool `changes`: one list over real git, a real journal, the package log of this machine, and stand-ins of kubectl and helm.
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '@holdfast/base/json';
import { decidePolicy } from '../../../src/core/tools/policy.ts';
import { withWindow } from '../../../src/core/tools/window.ts';
import { toChangeLines } from '@holdfast/sources/change-rows';
import { createChangesTool } from '../../../src/activities/toolsets/changes-tool.ts';
import type { RegisteredTool } from '../../../src/activities/tools/define-tool.ts';
import { openToolset, type OpenedToolset } from '../../../src/activities/toolsets/toolsets.ts';
import { type JournalEntry, journalPath, noJournal } from '../../support/journal.ts';
import { startSourceApi } from '../../support/source-api.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';
import { createToolBench, plantedPassword, starterToolset } from '../../support/toolset-bench.ts';

const run = promisify(execFile);
const now = Date.parse('2026-11-28T05:30:00Z');

function sourceOf({ name: toolset, changes, instances = [] }: OpenedToolset) {
  return { toolset, ...changes, instances: instances.map(({ name }) => name) };
}

/** The toolsets' changes as a session asks for them. */
function changesOf(toolsets: readonly OpenedToolset[], at = now) {
  const tool = createChangesTool(toolsets.map(sourceOf), () => at);
  const { context } = createToolBench({ now: at });
  const redact = (text: string): string => text.replaceAll(plantedPassword, '[REDACTED]');
  return { tool, ask: async (args: Json = {}) => tool.run(tool.parse(args), { ...context, redact }) };
}

async function gitToolset(commits: [at: string, subject: string][], settings: object = {}) {
  const folder = await temporaryFolder();
  const git = (args: string[], at = '') =>
    run('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@x', ...args], {
      env: { ...process.env, GIT_COMMITTER_DATE: at, GIT_AUTHOR_DATE: at },
    });
  await git(['init', '-q', '-b', 'main']);
  for (const [at, subject] of commits) await git(['commit', '-q', '--allow-empty', '-m', subject], at);
  const { open } = starterToolset('git', { repository: folder }, { now });
  return open(settings);
}

const commits: [string, string][] = [
  ['2026-11-26T05:00:00Z', 'long ago'],
  ['2026-11-27T20:00:00Z', 'copy: a text'],
  ['2026-11-28T05:10:00Z', 'pool: 20 -> 2'],
  ['2026-11-28T05:25:00Z', 'revert: pool'],
];

describe('the list', () => {
  test('[SRC-32ab] newest before the symptom first, who and what; what came after it is apart', async () => {
    const { ask } = changesOf([await gitToolset(commits)]);
    const { text, details } = await ask({ until: '2026-11-28T05:20:00Z' });
    expect(text.split('\n').map((line) => line.replace(/ [0-9a-f]{7}$/, ''))).toEqual([
      '3 changes: git_changes 3',
      'Before 2026-11-28T05:20:00Z, back to 2026-11-27T05:20:00Z, newest first:',
      '2026-11-28T05:10:00Z git_changes Ann: pool: 20 -> 2',
      '2026-11-27T20:00:00Z git_changes Ann: copy: a text',
      'After 2026-11-28T05:20:00Z, to 2026-11-28T05:30:00Z, newest first:',
      '2026-11-28T05:25:00Z git_changes Ann: revert: pool',
    ]);
    expect(details).toEqual({ changes: 2, after: 1, gaps: 0 });
  });

  test('[SRC-32c] a session about an alert asks for the day before it', () => {
    const { tool } = changesOf([]);
    const window = { startsAt: Date.parse('2026-11-28T05:20:00Z') };
    expect(withWindow({}, tool.spec, window)).toEqual({
      since: '2026-11-27T05:20:00.000Z',
      until: '2026-11-28T05:20:00.000Z',
    });
  });

  test('[SRC-32d] match and sources narrow it; times that do not fit are refused', async () => {
    const git = await gitToolset(commits);
    const { ask, tool } = changesOf([git]);
    expect((await ask({ match: 'POOL' })).text).toMatch(/^2 changes: git_changes 2\n/);
    expect((await ask({ match: 'ann: POOL' })).text).toMatch(/^1 change: git_changes 1\n/);
    expect((await ask({ match: 'no such' })).text).toMatch(/^0 changes: git_changes 0\n/);
    expect(() => tool.parse({ sources: ['nowhere'] })).toThrow(/git/);
    await expect(ask({ since: '2026-11-28T05:00:00Z', until: '2026-11-28T04:00:00Z' })).rejects.toThrow(
      'expected a time before until',
    );
  });

  test('[SRC-32d] sources that are not named are neither asked, nor judged, nor said to be missing', async () => {
    const row = JSON.stringify([{ at: '2026-11-28T05:00:00Z', what: 'pool grows', where: 'shop' }]);
    const own = await ownToolset(`echo '${row}'`);
    const helm = await starterToolset('helm', {}, { path: await temporaryFolder() }).open();
    const { ask, tool } = changesOf([await gitToolset(commits), own, helm]);
    const begins = async (args: JsonObject) => (await ask(args)).text.split('\n').slice(0, 2);
    const asked = async (args: JsonObject) =>
      (await tool.inspect?.(tool.parse(args) as Json))?.actions?.map(({ of }) => of?.tool);
    const all = await begins({});
    expect(all[0]).toBe('4 changes: git_changes 3, own_changes 1, helm_changes 0, helm_superseded 0');
    expect(all[1]).toContain('Not whole: helm_changes: ');
    expect(await asked({})).toEqual(['git_changes', 'own_changes']);
    expect(await begins({ sources: ['own'] })).toEqual([
      '1 change: own_changes 1',
      expect.stringMatching(/^Before /),
    ]);
    expect(await asked({ sources: ['own'] })).toEqual(['own_changes']);
    expect((await begins({ sources: ['own', 'helm'] }))[0]).toBe(
      '1 change: own_changes 1, helm_changes 0, helm_superseded 0',
    );
    // by what it is about, too
    expect((await begins({ sources: ['git', 'own'], match: 'SHOP' }))[0]).toBe(
      '1 change: git_changes 0, own_changes 1',
    );
  });

  test('[SRC-32e] of many the newest 60 are shown; the stored output has all', async () => {
    const rows = Array.from({ length: 99 }, (_, index) => ({
      at: new Date(now - 60_000 * (index + 1)).toISOString(),
      what: `change ${index} ${'x'.repeat(500)}`,
    }));
    const toolset = await ownToolset(`echo '${JSON.stringify(rows)}'`);
    const { text, full } = await changesOf([toolset]).ask();
    expect(text.split('\n')).toHaveLength(63);
    expect(text).toContain('[39 older ones: ask with a shorter time, match or sources]');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(240);
    expect(full).toContain('change 98 ');
  });
});

function failing(tool: RegisteredTool): RegisteredTool {
  const fail = () => Promise.reject(new Error('no url'));
  return { ...tool, inspect: fail, run: fail };
}

describe('a long list', () => {
  test('[SRC-46a] what happens again and again is one line, at its newest time; the stored output has each', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      at: new Date(now - 60_000 * (index + 1)).toISOString(),
      what: index === 50 ? 'restart done' : 'start done',
      where: index === 50 ? 'shop.service' : 'sysstat-collect.service',
    }));
    const { text, full } = await changesOf([await ownToolset(`echo '${JSON.stringify(rows)}'`)]).ask();
    expect(text.split('\n').slice(2)).toEqual([
      '2026-11-28T05:29:00Z own_changes start done (sysstat-collect.service) [99 times since 2026-11-28T03:50:00Z]',
      '2026-11-28T04:39:00Z own_changes restart done (shop.service)',
    ]);
    expect(full?.startsWith(text)).toBe(true);
    expect(full).toContain('\n2026-11-28T05:00:00Z own_changes start done (sysstat-collect.service)\n');
  });

  test('[SRC-46a] what happens three times is one line, what happens twice is two', async () => {
    const at = (minute: number) => `2026-11-28T05:${minute}:00Z`;
    const rows = [
      ...[10, 12, 14].map((minute) => ({ at: at(minute), what: 'backup' })),
      ...[11, 13].map((minute) => ({ at: at(minute), what: 'restart' })),
    ];
    const { text } = await changesOf([await ownToolset(`echo '${JSON.stringify(rows)}'`)]).ask();
    expect(text.split('\n').slice(2)).toEqual([
      `${at(14)} own_changes backup [3 times since ${at(10)}]`,
      `${at(13)} own_changes restart`,
      `${at(11)} own_changes restart`,
    ]);
  });

  const many = (item: object) => Array.from({ length: 100 }, () => item);
  const at = '2026-11-28T05:10:00Z';
  const commit = {
    sha: '9f3c2d1e',
    author: null,
    commit: { message: 'm', author: { name: 'Ann' }, committer: { date: at } },
  };
  const deployment = {
    sha: '9f3c2d1e',
    ref: 'main',
    environment: 'x',
    creator: { login: 'ann' },
    created_at: at,
  };
  const pull = {
    number: 7,
    title: 't',
    user: { login: 'ann' },
    base: { ref: 'main' },
    merged_at: at,
    updated_at: at,
  };
  test.each<[string, string, object, boolean]>([
    ['commits', 'commits', commit, true],
    ['deployments', 'deployments', deployment, true],
    ['deployments', 'deployments', { ...deployment, created_at: '2026-11-01T00:00:00Z' }, false],
    ['pulls', 'pulls', pull, true],
  ])('[SRC-46b] a source that gives its newest %s only says so', async (path, reader, item, isCut) => {
    const any = Object.fromEntries(
      ['since', 'until', 'state', 'sort', 'direction', 'per_page'].map((name) => [name, /.*/]),
    );
    const { url } = await startSourceApi([
      { path: `/repos/shop/checkout/${path}`, query: any, answer: many(item) as Json },
    ]);
    const settings = {
      url,
      owner: 'shop',
      repository: 'checkout',
      authorization: 'Bearer secret://password',
    };
    const toolset = await starterToolset('github', settings, { now }).open({ tools: [`github_${reader}`] });
    const { text } = await changesOf([toolset]).ask();
    expect(/Not whole: github_\w+: 100 of at least 100, which are the newest/.test(text)).toBe(isCut);
  });

  test('[SRC-46b] git that has more commits says so', async () => {
    const path = await standIn('git', Array.from({ length: 500 }, () => `${at}\tAnn\t9f3c2d1\tm`).join('\n'));
    const toolset = await starterToolset('git', { repository: '/' }, { now, path }).open();
    expect((await changesOf([toolset]).ask()).text).toContain(
      'Not whole: git_changes: 500 of at least 500, which are the newest',
    );
  });
});

async function ownToolset(script: string, more = '') {
  const file = join(await temporaryFolder(), 'own.yaml');
  await writeFile(
    file,
    [
      'name: own',
      'description: x',
      'signs: { noAccess: denied }',
      'permissions: The role reader.',
      'tools:',
      '  - name: own_changes',
      '    description: x',
      '    effect: read',
      '    rowsAre: changes',
      '    parameters: { since: { type: time, default: -1d }, until: { type: time, default: now } }',
      `    command: [sh, -c, ${JSON.stringify(script)}]`,
      "    read: { row: { at: '{at}', what: '{what:2000}', where: '{where}' } }",
      more,
    ].join('\n'),
  );
  return openToolset(file, {}, createToolBench({ now }).deps);
}

describe('what is missing', () => {
  test('[SRC-33a] a reader that cannot be judged spoils no other', async () => {
    const git = await gitToolset(commits);
    const broken = {
      ...git,
      name: 'broken',
      changes: { ...git.changes, readers: git.changes.readers.map(failing) },
    };
    const made = await changesOf([git, broken]).ask();
    expect(made.text).toContain('3 changes: git_changes 3, git_changes 0\nNot whole: git_changes: no url\n');
  });

  test('[SRC-33ab] a source that refuses, that has nothing, or whose rows do not fit is named', async () => {
    const refused = await ownToolset('echo denied >&2; exit 1');
    const { text } = await changesOf([await gitToolset(commits), refused]).ask();
    expect(text.split('\n').slice(0, 2)).toEqual([
      '3 changes: git_changes 3, own_changes 0',
      'Not whole: own_changes: No access: the source refused the request. It needs: The role reader. [exit code 1] denied',
    ]);
    const wrong = await ownToolset(`echo '[{"at":"yesterday","what":"x"},{"other":1}]'`);
    const made = await changesOf([wrong]).ask();
    expect(made.isError).toBe(true);
    expect(made.text).toContain('Not whole: own_changes: 1 item of 2 could not be read, such as {"other":1}');
    expect(made.text).toContain('Not whole: own_changes: 1 of 1 could not be read: at: invalid ISO datetime');
    const none = await changesOf([await gitToolset([['2026-11-01T05:00:00Z', 'old']])]).ask();
    expect(none.text).toMatch(/^0 changes: git_changes 0\nBefore .*\nnone$/);
    expect(none.isError).toBeUndefined();
  });

  test('[SRC-33c] a reader that this worker lacks is named, and the model has no reader apart', async () => {
    const { open } = starterToolset('helm', {}, { path: await temporaryFolder() });
    const helm = await open();
    expect(helm.status).toBe('failed');
    const git = await gitToolset(commits);
    expect(git.made.map(({ spec }) => spec.name)).not.toContain('git_changes');
    const { text } = await changesOf([git, helm]).ask();
    expect(text).toContain(
      'Not whole: helm_changes: Not there on this worker: the program helm is not installed',
    );
  });
});

test('[SRC-34ab] a rule about a reader, or about the instance of one, judges the whole call', async () => {
  const { tool } = changesOf([
    await gitToolset(commits, { instances: { shop: {} } }).catch(() => gitToolset(commits)),
  ]);
  const args = tool.parse({}) as Json;
  const actions = (await tool.inspect?.(args))?.actions ?? [];
  const call = { tool: 'changes', effect: 'read' as const, args: {}, actions };
  expect(decidePolicy(call, []).decision).toBe('allow');
  expect(decidePolicy(call, [{ tool: 'git_changes', decision: 'deny' }]).decision).toBe('deny');
  expect(decidePolicy(call, [{ tool: 'changes', decision: 'ask' }]).decision).toBe('ask');
});

test('[SRC-34c] redaction of an instance holds in the list', async () => {
  const { url } = await startSourceApi([
    {
      path: '/change_events',
      query: { since: /./, until: /./, limit: '100' },
      answer: {
        change_events: [
          {
            timestamp: '2026-11-28T05:10:00Z',
            summary: 'customer=4711',
            source: 'ci',
            services: [],
            links: [],
          },
        ],
      },
    },
  ]);
  const { open } = starterToolset('pagerduty', {}, { now });
  const toolset = await open({
    settings: { url, authorization: 'Bearer secret://password' },
    instances: { eu: { redact: ['customer=\\d+'] }, us: {} },
  });
  const { text } = await changesOf([toolset]).ask();
  expect(text).toMatch(/^2 changes: pagerduty_changes eu 1, pagerduty_changes us 1\n/);
  expect(text).toContain('pagerduty_changes eu ci: [redacted]');
  expect(text).toContain('pagerduty_changes us ci: customer=4711');
  expect(text).not.toContain(plantedPassword);
});

/** A folder with a program that prints this. */
async function standIn(program: string, prints: Json | string, ...others: string[]): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(folder, { recursive: true });
  const text = typeof prints === 'string' ? prints : JSON.stringify(prints);
  await writeFile(join(folder, 'answer'), text);
  await writeFile(join(folder, program), `#!/bin/sh\ncat ${join(folder, 'answer')}\n`);
  for (const other of others) await writeFile(join(folder, other), '#!/bin/sh\necho Version=252\n');
  for (const each of [program, ...others]) await chmod(join(folder, each), 0o755);
  return `${folder}:${process.env['PATH']}`;
}

describe('sources', () => {
  const listed = async (name: string, path: string) => {
    const toolset = await starterToolset(name, {}, { now, path }).open();
    return { toolset, lines: (await changesOf([toolset]).ask()).text.split('\n').slice(2) };
  };

  test('[SRC-35a] kubernetes: revisions of deployments', async () => {
    const item = {
      metadata: {
        name: 'shop-9f3c',
        namespace: 'web',
        creationTimestamp: '2026-11-28T05:10:00Z',
        annotations: { 'deployment.kubernetes.io/revision': '8', 'kubernetes.io/change-cause': 'pool 2' },
        ownerReferences: [{ kind: 'Deployment', name: 'shop' }],
      },
      spec: { template: { spec: { containers: [{ image: 'shop:4.2' }] } } },
    };
    const { lines } = await listed(
      'kubernetes',
      await standIn('kubectl', { kind: 'List', serverVersion: {}, items: [item] }),
    );
    expect(lines).toEqual([
      '2026-11-28T05:10:00Z kubernetes_changes revision 8 with shop:4.2: pool 2 (web/shop)',
    ]);
  });

  test('[SRC-35b] helm: releases, and the history of one', async () => {
    const release = {
      name: 'shop',
      namespace: 'web',
      revision: '8',
      updated: '2026-11-28T07:10:00+02:00',
      status: 'failed',
      chart: 'shop-1.2.3',
      app_version: '4.2',
    };
    const path = await standIn('helm', [{ ...release, name: 'blog', status: 'deployed' }, release]);
    const { lines, toolset } = await listed('helm', path);
    expect(lines).toContain(
      '2026-11-28T05:10:00Z helm_changes revision 8 failed, shop-1.2.3 app 4.2 (web/shop)',
    );
    const { text } = await starterToolset('helm', {}, { path }).returnOf(toolset, 'helm_releases', {});
    expect(text.split('\n')[0]).toMatch(/ failed web\/shop revision 8 shop-1\.2\.3 app 4\.2$/);
  });

  test('[SRC-46c] systemd: a journal that the worker may not read in whole is named, not shown as nothing', async () => {
    const path = await standIn('journalctl', '', 'systemctl');
    const hint = 'Hint: You are currently not seeing messages from other users and the system.';
    await writeFile(join(path.split(':')[0] ?? '', 'journalctl'), `#!/bin/sh\necho '${hint}' >&2\n`);
    const toolset = await starterToolset('systemd', {}, { now, path }).open();
    const { text } = await changesOf([toolset]).ask();
    expect(text).toMatch(
      /\nNot whole: systemd_changes: .*not seeing messages.* It needs: The group systemd-journal/,
    );
  });

  test.skipIf(noJournal !== '')(
    `[SRC-35cf] [SRC-46d] systemd: services, sudo and configuration management, in a real journal${noJournal}`,
    async () => {
      let at = now - 60_000;
      const entry = (name: string, message: string, more: JournalEntry['fields'] = {}): JournalEntry => {
        at += 1_000;
        return { at, fields: { SYSLOG_IDENTIFIER: name, MESSAGE: message, ...more } };
      };
      const job = (UNIT: string, JOB_TYPE: string, JOB_RESULT?: string): JournalEntry =>
        entry('systemd', 'x', { _PID: '1', UNIT, JOB_TYPE, ...(JOB_RESULT && { JOB_RESULT }) });
      const sudo = 'TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/usr/bin/systemctl';
      const bySystem = { _TRANSPORT: 'journal' };
      const path = await journalPath(await temporaryFolder(), [
        job('shop.service', 'restart', 'done'),
        job('user@1000.service', 'start', 'done'),
        job('shop.service', 'start'),
        entry('shop', 'restarted'),
        entry('sudo', `     kim : ${sudo} ${'x'.repeat(130)} ${plantedPassword}`),
        entry('sudo', 'pam_unix(sudo:session): session opened for user root(uid=0) by kim(uid=1000)'),
        entry('sudo', `     lee : command not allowed ; ${sudo} stop shop`),
        entry('sudo', '     lee : user NOT in sudoers ; TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/su'),
        entry('sudo', '     kim : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=list'),
        entry('ansible-ansible.legacy.setup', "Invoked with gather_subset=['all']"),
        entry('ansible-ansible.legacy.copy', 'Invoked with dest=/etc/shop.conf src=/tmp/x'),
        entry(
          'python3.11',
          `ansible-lineinfile Invoked with path=/etc/hosts line=${'x'.repeat(5_000)}`,
          bySystem,
        ),
        entry('python3.11', 'ansible-ansible.builtin.stat Invoked with path=/etc/hosts', bySystem),
        entry('python3.11', 'ansible-x Invoked with', { _TRANSPORT: 'stdout' }),
        entry(
          'puppet-agent',
          "(/Stage[main]/Shop/Service[shop]/ensure) ensure changed 'stopped' to 'running'",
        ),
        entry(
          'puppet-agent',
          '(/Stage[main]/Shop/File[/etc/shop.conf]/content) \n--- /etc/shop.conf\n+password=b',
        ),
        entry('puppet-agent', 'Applied catalog in 2.31 seconds'),
        entry('chef-client', 'INFO: template[/etc/shop.conf] updated file contents /etc/shop.conf'),
        entry('sudo', '\u001b[0m'),
      ]);
      const { open, returnOf } = starterToolset('systemd', {}, { now, path });
      const toolset = await open();
      const { text } = await changesOf([toolset]).ask();
      expect(text.split('\n')).toEqual([
        '8 changes: systemd_changes 1, system_administration 7',
        'Not whole: system_administration: a message that is no text is left out',
        expect.stringMatching(/^Before /),
        '2026-11-28T05:29:18Z system_administration chef-client: INFO: template[/etc/shop.conf] updated file contents /etc/shop.conf',
        "2026-11-28T05:29:15Z system_administration puppet-agent: (/Stage[main]/Shop/Service[shop]/ensure) ensure changed 'stopped' to 'running'",
        expect.stringMatching(
          /^2026-11-28T05:29:12Z system_administration ansible: lineinfile path=\/etc\/hosts line=x+…$/,
        ),
        '2026-11-28T05:29:11Z system_administration ansible: ansible.legacy.copy dest=/etc/shop.conf src=/tmp/x',
        '2026-11-28T05:29:08Z system_administration lee by sudo: refused: /bin/su',
        '2026-11-28T05:29:07Z system_administration lee by sudo: refused: /usr/bin/systemctl stop shop',
        '2026-11-28T05:29:05Z system_administration kim by sudo: /usr/bin/systemctl ' +
          'x'.repeat(130) +
          ' [REDACTED]',
        '2026-11-28T05:29:01Z systemd_changes restart done (shop.service)',
      ]);
      const newest = await returnOf(toolset, 'journal', {
        since: '2026-11-28T05:00:00Z',
        match: 'shop',
        limit: 2,
      });
      expect(newest.text.match(/05:29:\d\d/g)).toEqual(['05:29:18', '05:29:16']);
      const coloured = await returnOf(toolset, 'journal', { since: '2026-11-28T05:00:00Z', limit: 1 });
      expect(coloured.text).not.toContain('blob data');
    },
  );

  const noDpkg = existsSync('/var/log/dpkg.log') ? '' : ' (skipped: no /var/log/dpkg.log)';
  test.skipIf(noDpkg !== '')(`[SRC-35d] host: the packages of this machine${noDpkg}`, async () => {
    const toolset = await starterToolset('host', {}, {}).open();
    const { text } = await changesOf([toolset], Date.now()).ask({ since: '2020-01-01T00:00:00Z' });
    const logs = ['/var/log/dpkg.log', '/var/log/dpkg.log.1'].filter((file) => existsSync(file));
    const written = (await Promise.all(logs.map((file) => readFile(file, 'utf8')))).join('');
    const count = written.match(/^\S+ \S+ (?:install|upgrade|remove|purge) /gm)?.length;
    expect(text).toMatch(new RegExp(`^${count} changes: host_packages ${count}\nBefore `));
    expect(text).not.toContain('Not whole');
    expect(text).toMatch(
      /\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ host_packages (?:install|upgrade|remove|purge) \S+/,
    );
  });
});

test('[SRC-35e] rows without a zone are refused, and missing parts left out', () => {
  const linesOf = (row: Json) => toChangeLines({ is: 'rows', rows: [row] }, (text) => text);
  expect(linesOf({ at: '2026-11-28 05:10', what: 'x' })).toMatchObject({
    is: 'partial',
    rows: [],
    why: [expect.stringMatching(/^1 of 1 could not be read: at: invalid/)],
  });
  expect(linesOf({ at: '2026-11-28T07:10:00+02:00', what: 'x\ny', who: null, where: '' })).toEqual({
    is: 'rows',
    came: 1,
    rows: ['2026-11-28T05:10:00Z x y'],
  });
});
