// The tools of the starter toolsets that act, against the real programs: what a person is shown before, what is seen after.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ToolsetSettings } from '@holdfast/sources/toolset.schema';
import { openToolset } from '../../../src/activities/toolsets/toolsets.ts';
import type { Json } from '@holdfast/base/json';
import { whyOf } from '@holdfast/vocabulary/call-outcome';
import { startKubernetes } from '../../support/kubernetes-stand-in.ts';
import {
  missingPrograms,
  postgresFolder,
  startNginx,
  startPostgres,
  startRedis,
  startSystemd,
} from '../../support/real-servers.ts';
import { madeReport, reportMissing } from '../../support/stand-in.ts';
import { temporaryFolder, toolBench } from '../../support/tool-calls.ts';
import { createToolBench, plantedPassword as password, starterToolset } from '../../support/toolset-bench.ts';
import { until } from '../../support/until.ts';

/** As a worker does it: the call is looked at when it is asked for, and runs with the basis that was approved. */
async function opened(
  name: string,
  settings: Record<string, string>,
  environment: Record<string, string> = {},
) {
  const { context, open } = starterToolset(name, settings, { environment });
  const toolset = await open({ changes: true });
  const toolOf = (tool: string) => {
    const found = toolset.made.find(({ spec }) => spec.name === tool);
    if (!found) throw new Error(`no tool ${tool}: ${JSON.stringify(toolset)}`);
    return found;
  };
  const ask = async (tool: string, args: Json) => {
    const parsed = toolOf(tool).parse(args) as Json;
    const { preview = '', basis = '', actions = [] } = (await toolOf(tool).inspect?.(parsed)) ?? {};
    const run = async () => {
      const { found } = (await toolOf(tool).inspect?.(parsed)) ?? {};
      return toolOf(tool).run(parsed, { ...context, basis, found });
    };
    return { preview, effect: actions[0]?.effect, run };
  };
  return { ask, open };
}

const skipped = (missing: string | undefined): string => (missing ? ` (skipped: ${missing})` : '');

test('[TOOL-25a] tools that act are there where the configuration wants them: all, or by name', async () => {
  const { open } = await opened('nginx', {});
  const names = async (more: ToolsetSettings) => (await open(more)).tools.map(({ name }) => name);
  expect(await names({})).not.toContain('nginx_reload');
  expect(await names({ changes: true })).toContain('nginx_reload');
  expect(await names({ tools: ['nginx_reload'] })).toEqual(['nginx_reload']);
});

test('[TOOL-25a] a change that nothing could show here is absent, with the reason', async () => {
  const { tool } = await turningTool('touch turned', 'cat state');
  expect(tool.spec.name).toBe('turn');
  const blind = { shows: ['no-such-program', 'state'] };
  await expect(turningTool('touch turned', 'cat state', blind)).rejects.toThrow(
    'the program no-such-program is not installed',
  );
});

const noNginx = missingPrograms('nginx', 'ps');
test.skipIf(noNginx !== undefined)(
  `[TOOL-25b] [TOOL-26abc] nginx is reloaded after a test of its configuration${skipped(noNginx)}`,
  async () => {
    const { config, port } = await startNginx();
    const { ask } = await opened('nginx', { config });
    const before = await ask('nginx_reload', {});
    expect(before).toMatchObject({ effect: 'once' });
    expect(before.preview).toMatch(
      /^nginx -s reload -c \S+\nOn: \S+\nUndo: Put the.*\nNow:\n[^]*nginx: worker process/,
    );
    const reloaded = await before.run();
    expect(reloaded.isError).toBeUndefined();
    expect(reloaded.text).toMatch(/Before:\n[^]*worker process[^]*After:\n[^]*worker process/);
    expect((await fetch(`http://127.0.0.1:${port}/nginx_status`)).ok).toBe(true);

    // broken since it was approved: nothing is reloaded
    const approved = await ask('nginx_reload', {});
    await writeFile(config, 'events {} http { nonsense; }');
    expect(await approved.run()).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Not run\. The test before it failed: .*"nonsense"/),
    });
    // and a broken one asks nobody: it only says what is wrong
    const broken = await ask('nginx_reload', {});
    expect(broken).toMatchObject({ effect: 'read', preview: expect.stringContaining('"nonsense"') });
    await writeFile(config, 'events {} http {}');
    await expect(broken.run()).rejects.toThrow('Not run: ');
  },
);

const noRedis = missingPrograms('redis-server', 'redis-cli');
test.skipIf(noRedis !== undefined)(
  `[TOOL-25b] [TOOL-26ab] [REPORT-39a] redis: one setting, with the value before it${skipped(noRedis)}`,
  async () => {
    const { port } = await startRedis(password);
    const { ask } = await opened('redis', { port: `${port}`, password: 'secret://password' });
    const call = await ask('redis_config_set', { setting: 'maxmemory-policy', value: 'allkeys-lru' });
    expect(call.preview).toContain(
      'Undo: CONFIG SET maxmemory-policy noeviction\nNow:\nmaxmemory-policy\nnoeviction',
    );
    expect(call.preview).not.toContain(password);
    const changed = await call.run();
    expect(changed.text).toMatch(/^OK\n\nBefore:\n.*\nnoeviction\n\nAfter:\n.*\nallkeys-lru\n/);
    expect(changed.details).toMatchObject({
      change: {
        before: 'maxmemory-policy\nnoeviction',
        after: 'maxmemory-policy\nallkeys-lru',
        undo: 'CONFIG SET maxmemory-policy noeviction',
      },
    });
    const refused = await ask('redis_config_set', { setting: 'maxmemory-policy', value: 'much' });
    expect(await refused.run()).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^Failed: the source answered with an error: ERR/),
    });
    await expect(ask('redis_config_set', { setting: 'dir', value: 'x' })).rejects.toThrow('expected one of');
  },
);

const noPostgres = postgresFolder() === undefined ? 'postgresql not installed' : missingPrograms('psql');
test.skipIf(noPostgres !== undefined)(
  `[TOOL-25b] [TOOL-26abcd] postgresql: a query is cancelled and a session ended, as they were shown${skipped(noPostgres)}`,
  async () => {
    const { port, sql } = await startPostgres(password);
    await sql('grant pg_signal_backend to holdfast');
    await sql(`create role shop login password '${password}'`);
    const { ask } = await opened('postgresql', { port: `${port}`, password: 'secret://password' });
    const startSession = async (query: string) => {
      const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'shop', '-d', 'postgres'];
      const environment = { PATH: process.env['PATH'] ?? '', PGPASSWORD: password };
      const child = spawn('psql', ['-X', ...place], {
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      onTestFinished(() => void child.kill());
      child.stdin.write(`${query};\n`);
      const pidOfQuery = `select pid from pg_stat_activity where usename = 'shop' and query like '${query}%'`;
      const pid = await until('the query runs', async () => Number(await sql(pidOfQuery)) || undefined);
      return { pid, child };
    };
    // a line of the query is none of what is shown of the session
    const { pid, child } = await startSession('select pg_sleep(1000) as "\nstate|idle"');
    const cancel = await ask('postgresql_cancel', { pid });
    expect(cancel.preview).toMatch(
      new RegExp(`pid\\|${pid}\nuser\\|shop\n[^]*query\\|select pg_sleep\\(1000\\) as " state\\|idle"`),
    );
    expect(cancel.preview).not.toContain(password);
    expect((await cancel.run()).text).toMatch(
      /^sent\n\nBefore:\n[^]*state\|active[^]*After:\n[^]*state\|idle/,
    );

    // bound to what was shown: the session does something else by now
    const stale = await ask('postgresql_terminate', { pid });
    child.stdin.write('select pg_sleep(2000);\n');
    await until(
      'another query',
      async () => (await sql(`select state from pg_stat_activity where pid = ${pid}`)) === 'active',
    );
    await expect(stale.run()).rejects.toThrow('not as it was shown');
    const end = await ask('postgresql_terminate', { pid });
    const exited = once(child, 'exit');
    expect((await end.run()).text).toMatch(/^sent\n\nBefore:\n[^]*After:\n\n/);
    child.stdin.end();
    await exited;
    expect(await ask('postgresql_terminate', { pid })).toMatchObject({
      effect: 'read',
      preview: 'What it would change is not there.',
    });
  },
);

test.skipIf(noPostgres !== undefined)(
  `[SRC-50a] postgresql: a session that the role may not signal asks nobody${skipped(noPostgres)}`,
  async () => {
    const { port, sql } = await startPostgres(password);
    await sql(`create role shop login password '${password}'`);
    const { ask } = await opened('postgresql', { port: `${port}`, password: 'secret://password' });
    const pidOf = async (user: string): Promise<number> => {
      const place = ['-h', '127.0.0.1', '-p', `${port}`, '-U', user, '-d', 'postgres'];
      const env = { PATH: process.env['PATH'] ?? '', PGPASSWORD: password, PGAPPNAME: `of ${user}` };
      const child = spawn('psql', ['-X', ...place], { env, stdio: ['pipe', 'ignore', 'ignore'] });
      onTestFinished(() => void child.kill());
      const sought = `select pid from pg_stat_activity where application_name = 'of ${user}'`;
      return until('the session is there', async () => Number(await sql(sought)) || undefined);
    };
    const [superuser, shop] = [await pidOf('postgres'), await pidOf('shop')];
    const refused = async (tool: string, pid: number) => {
      const asked = await ask(tool, { pid });
      expect(asked.effect).toBe('read');
      const { text, isError, outcome } = await asked.run();
      expect([isError, outcome]).toEqual([true, 'refused']);
      return text;
    };
    for (const tool of ['postgresql_cancel', 'postgresql_terminate']) {
      const lacking =
        /^No access: .*pg_signal_backend[^]*session \d+ is that of another role, and holdfast is no member/;
      expect(await refused(tool, shop)).toMatch(lacking);
    }
    await sql('grant pg_signal_backend to holdfast');
    expect(await refused('postgresql_terminate', superuser)).toMatch(/^No access: [^]*that of a superuser/);
    expect((await ask('postgresql_terminate', { pid: shop })).effect).toBe('once');
    // its own sessions need no right
    await sql('revoke pg_signal_backend from holdfast');
    expect((await ask('postgresql_terminate', { pid: await pidOf('holdfast') })).effect).toBe('once');
  },
);

const noSystemd =
  missingPrograms('systemctl', 'unshare') ?? (process.getuid?.() === 0 ? undefined : 'not root');
test.skipIf(noSystemd !== undefined)(
  `[TOOL-25b] [TOOL-26abc] systemd: a unit is restarted and reloaded${skipped(noSystemd)}`,
  async () => {
    const app = '[Service]\nExecStart=/bin/sleep 1000\nExecReload=/bin/true\n';
    const { runtimeFolder, systemctl } = await startSystemd({ 'app.service': app });
    const { ask } = await opened('systemd', { scope: 'user' }, { XDG_RUNTIME_DIR: runtimeFolder });
    await systemctl('start', 'app.service');
    const restart = await ask('systemd_restart', { unit: 'app.service' });
    expect(restart.preview).toMatch(
      /^systemctl --user --no-ask-password restart -- app\.service\nOn: \S+\nUndo: .*\nNow:\n[^]*ActiveState=active/,
    );
    const pids = [...((await restart.run()).text ?? '').matchAll(/MainPID=(\d+)/g)].map(([, pid]) => pid);
    expect(new Set(pids).size).toBe(2);
    expect((await (await ask('systemd_reload', { unit: 'app.service' })).run()).isError).toBeUndefined();
    await systemctl('stop', 'app.service');
    // of a unit that does not run, a reload fails with the reason
    const idle = await ask('systemd_reload', { unit: 'app.service' });
    expect(await idle.run()).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^\[exit code \d+\]\n.*app\.service/),
    });
    expect(await ask('systemd_restart', { unit: 'gone.service' })).toMatchObject({
      effect: 'read',
      preview: expect.stringContaining('gone.service'),
    });
  },
);

const noKubectl = missingPrograms('kubectl');
test.skipIf(noKubectl !== undefined)(
  `[TOOL-25b] [TOOL-26abc] kubectl scales, restarts, undoes and cordons, over a stand-in of its API${skipped(noKubectl)}`,
  async () => {
    const cluster = await startKubernetes();
    const home = await temporaryFolder();
    await mkdir(join(home, 'cache'));
    const { ask } = await opened('kubernetes', {}, { KUBECONFIG: cluster.kubeconfig, HOME: home });
    const shop = { resource: 'deployment/shop', namespace: 'web' };
    const scale = await ask('kubernetes_scale', { ...shop, replicas: 5 });
    expect(scale.preview).toMatch(
      /\nUndo: .*before: replicas 3.*\nNow:\nimages shop:2\nrevision 2\ngeneration 4\nready 3\nreplicas 3$/,
    );
    expect(await scale.run()).not.toHaveProperty('isError');
    expect(cluster.deployment.spec.replicas).toBe(5);
    const restart = await ask('kubernetes_rollout_restart', shop);
    expect((await restart.run()).text).toMatch(
      /deployment.apps\/shop restarted[^]*generation 5[^]*generation 6/,
    );
    const undo = await ask('kubernetes_rollout_undo', shop);
    expect((await undo.run()).text).toMatch(/rolled back[^]*images shop:2[^]*images shop:1/);
    const cordon = await ask('kubernetes_cordon', { node: 'node-1' });
    expect((await cordon.run()).text).toMatch(/node\/node-1 cordoned[^]*unschedulable true/);
    expect(cluster.node.spec.unschedulable).toBe(true);
    expect((await (await ask('kubernetes_uncordon', { node: 'node-1' })).run()).isError).toBeUndefined();
    expect(
      await ask('kubernetes_scale', { ...shop, resource: 'deployment/gone', replicas: 1 }),
    ).toMatchObject({ effect: 'read', preview: expect.stringContaining('not found') });
  },
);

test.skipIf(noKubectl !== undefined)(
  `[FAULT-112d] a switched context leads no approved call elsewhere${skipped(noKubectl)}`,
  async () => {
    const [staging, production] = [await startKubernetes(), await startKubernetes()];
    const home = await temporaryFolder();
    const kubeconfig = join(home, 'config');
    const environment = { ...process.env, KUBECONFIG: kubeconfig, HOME: home };
    const kubectl = (...words: string[]) => execFileSync('kubectl', words, { env: environment });
    for (const [name, { url }] of Object.entries({ staging, production })) {
      kubectl('config', 'set-cluster', name, `--server=${url}`);
      kubectl('config', 'set-context', name, `--cluster=${name}`);
    }
    kubectl('config', 'use-context', 'staging');
    const { ask } = await opened('kubernetes', {}, { KUBECONFIG: kubeconfig, HOME: home });
    const wanted = { resource: 'deployment/shop', namespace: 'web', replicas: 5 };
    const approved = await ask('kubernetes_scale', wanted);
    expect(approved.preview).toMatch(
      /^kubectl --context=staging .* --replicas=5\nOn: staging, cluster staging at http/,
    );
    kubectl('config', 'use-context', 'production');
    await expect(approved.run()).rejects.toThrow('another call');
    expect([staging, production].map(({ deployment }) => deployment.spec.replicas)).toEqual([3, 3]);
    kubectl('config', 'use-context', 'staging');
    expect(await approved.run()).not.toHaveProperty('isError');
    expect([staging, production].map(({ deployment }) => deployment.spec.replicas)).toEqual([5, 3]);
    // the same name, another server
    const again = await ask('kubernetes_scale', { ...wanted, replicas: 1 });
    kubectl('config', 'set-cluster', 'staging', `--server=${production.url}`);
    await expect(again.run()).rejects.toThrow('another call');
  },
);

/** A toolset of one tool, in a folder of its own: both commands are lines of a shell there. */
async function turningTool(command: string, shows: string, more: object = {}, tool: object = {}) {
  const folder = await temporaryFolder();
  const line = (text: string) => ['sh', '-c', `cd ${folder}; ${text}`];
  const change = { shows: line(shows), undo: 'Turn it back.', ...more };
  const tools = [{ name: 'turn', description: 'Turns it.', command: line(command), change, ...tool }];
  const file = join(folder, 'turning.yaml');
  await writeFile(file, JSON.stringify({ name: 'turning', description: 'Turns.', tools }));
  await writeFile(join(folder, 'state'), 'one');
  const opened = await openToolset(file, { changes: true }, createToolBench().deps);
  const [made] = opened.made;
  if (!made) throw new Error(`no tool: ${JSON.stringify(opened)}`);
  return { folder, tool: made };
}

test('[TOOL-26be] what a change is about is looked at once before it, and what is seen after it can be quoted', async () => {
  const { folder, tool } = await turningTool('echo two > state', 'echo >> looks; cat state');
  const { basis = '' } = (await tool.inspect?.({})) ?? {};
  const { deps, run } = await toolBench(tool);
  const { message, outcome } = await run({}, { approvedBy: 'ann', basis });
  expect(message).toMatchObject({ isError: false });
  expect(outcome).toBeUndefined();
  // for the question, before it ran, and after
  expect(await readFile(join(folder, 'looks'), 'utf8')).toBe('\n\n\n');
  const stored = await deps.artifacts.get('session-1', message.artifactId ?? '');
  expect(String(stored)).toContain('Before:\none\n\nAfter:\ntwo\n\nUndo: Turn it back.');
});

const undone = 's16-stderr-in-state.json';
const noReport = reportMissing(undone);
test(`[TOOL-21b] [TOOL-26fg] [SRC-61a] a change that is not seen, whatever is said beside it, has failed, and of one that cannot be looked at nobody knows; ${undone}${skipped(noReport)}`, async () => {
  const result = async (command: string, shows = 'cat state') => {
    const { tool } = await turningTool(command, shows);
    const { run } = await toolBench(tool);
    const { basis = '' } = (await tool.inspect?.({})) ?? {};
    return run({}, { approvedBy: 'ann', basis });
  };
  // each of them is looked for as long as a change may take
  const [unseen, gone, warned, rollback] = await Promise.all([
    result('echo OK'),
    result('rm state'),
    result('echo OK', 'date +%S.%N >&2; cat state'),
    noReport ? undefined : madeReport(undone),
  ]);
  expect(warned).toMatchObject({ outcome: 'failed', message: { isError: true } });
  expect(rollback?.outcome ?? 'failed').toBe('failed');
  expect(unseen).toMatchObject({ outcome: 'failed', message: { isError: true } });
  expect(gone).toMatchObject({ outcome: 'unknown', message: { isError: true } });
  expect(whyOf('failed', unseen.message)).toContain('the change is not to be seen');
  expect(whyOf('unknown', gone.message)).toContain('what is there now cannot be read');
}, 40_000);

test('[TOOL-23c] the look before a change gets times in the form of its program, too', async () => {
  const shows = ['printf', 'from %s', '{{from}}'];
  const more = { command: ['true', '{{from}}'], parameters: { from: { type: 'time', form: 'seconds' } } };
  const { tool } = await turningTool('true', 'true', { shows }, more);
  const { preview } = (await tool.inspect?.({ from: '2026-01-31T13:30:00Z' })) ?? {};
  expect(preview).toContain('from 1769866200');
});

test('[TOOL-21b] a change that was stopped before it began was not made, and nothing has refused it or a read', async () => {
  const { folder, tool } = await turningTool('touch turned', 'cat state');
  const { context } = createToolBench();
  const { found } = (await tool.inspect?.({})) ?? {};
  const stopped = await tool.run({}, { ...context, found, signal: AbortSignal.abort() });
  expect(stopped).toMatchObject({ outcome: 'not_run', text: expect.stringContaining('nothing was run') });
  expect(existsSync(join(folder, 'turned'))).toBe(false);
  const { open } = starterToolset('host', {});
  const [read] = (await open()).made;
  const looked = await read?.run({}, { ...context, signal: AbortSignal.abort() });
  expect(looked).toMatchObject({ isError: true, outcome: 'not_run' });
});

test('[TOOL-26c] a program that gives no answer keeps nobody waiting: nothing runs, and the reason is said', async () => {
  const { tool } = await turningTool('touch turned', 'exec sleep 60');
  const facts = await tool.inspect?.({});
  expect(facts).toMatchObject({
    actions: [{ effect: 'read' }],
    preview: 'What it would change cannot be read: [no answer within 3 s]\n',
  });
});
