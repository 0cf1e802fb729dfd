// The dashboard and the alerts against a real Prometheus that scrapes a worker with sessions and a gateway: no query is empty where something
// must be there, and every alert can be raised.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { webhook } from '../support/alert-payloads.ts';
import { type RunningCli, callCli, startCli } from '../support/cli.ts';
import { type CliFolder, changeConfig, makeCliFolder } from '../support/cli-folder.ts';
import { ask as request } from '../support/gateway.ts';
import { startHttpServer } from '../support/http-server.ts';
import { missingPrograms, programPath, startPrometheus } from '../support/real-servers.ts';
import { until } from '../support/until.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');
const missing = missingPrograms('prometheus', 'promtool');

type Panel = { title: string; targets?: { expr: string }[] };
type Rule = { alert: string; expr: string };
type Answer = { data: { result: { metric: Record<string, string>; value: [number, string] }[] } };

/** Nothing of it is there while nothing goes wrong with Temporal itself. */
const onlyInTrouble = /^temporal_(request_failure|workflow_task_execution_failed)_total$/;

test.skipIf(missing)(
  `[WORKER-12e] [WORKER-12f] every query of the dashboard and every alert finds the metrics of a worker and a gateway${missing ? ` (${missing})` : ''}`,
  async () => {
    const panels: Panel[] = JSON.parse(await readFile(join(deploy, 'grafana/holdfast.json'), 'utf8')).panels;
    const rulesFile = join(deploy, 'prometheus/alerts.yml');
    const rules: Rule[] = parse(await readFile(rulesFile, 'utf8')).groups[0].rules;
    const queries = [
      ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr }))),
      // an alert is empty while all is well: without its threshold it is not
      ...rules.map(({ alert, expr }) => ({ title: alert, expr: withoutThreshold(expr) })),
    ];
    expect(queries.length).toBeGreaterThan(30);

    const chat = await startHttpServer(({ url }, response) =>
      response.writeHead(statusOf[url ?? ''] ?? 404).end(),
    );
    const folder = await folderWithTroubles(chat.url);
    onTestFinished(() => folder.remove());
    const [metricsPort, gatewayPort, config] = [
      await freePort(),
      await freePort(),
      join(folder.cwd, 'prometheus.yml'),
    ];
    await writeFile(
      config,
      `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${rulesFile}]
scrape_configs:
  - { job_name: holdfast, static_configs: [{ targets: ['127.0.0.1:${metricsPort}'] }] }
  - { job_name: holdfast-gateway, static_configs: [{ targets: ['127.0.0.1:${gatewayPort}'] }] }`,
    );
    const gateway = startCli(['gateway', '--port', `${gatewayPort}`, '--grace', '0'], folder);
    endWithTest(gateway);
    await gateway.until(/^gateway /m);
    const post = (path: string, json: unknown) => request(`http://127.0.0.1:${gatewayPort}${path}`, { json });
    // nobody answers for a session without a worker
    const { body } = await post('/v1/sessions', { agent: 'open', prompt: 'look' });
    const path = `/v1/sessions/${String(body['sessionId'])}/report`;
    expect(await request(`http://127.0.0.1:${gatewayPort}${path}`)).toMatchObject({ status: 503 });
    const worker = startCli(['worker', '--metrics', `${metricsPort}`, '--grace', '0'], folder);
    endWithTest(worker);
    const { port } = await startPrometheus(config);
    await worker.until(/worker on/);
    const ask = async (expr: string): Promise<Answer['data']['result']> => {
      const plain = expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(namespace|queue)/g, '.*');
      const words = new URLSearchParams({ query: plain }).toString();
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${words}`);
      const answer: Answer = JSON.parse(await response.text());
      expect(response.status, `${expr}: ${JSON.stringify(answer)}`).toBe(200);
      return answer.data.result;
    };
    const start = async (agent: string, session: string): Promise<void> => {
      const started = await callCli(
        ['run', '--detach', '--agent', agent, '--session', session, 'look'],
        folder,
      );
      expect(started).toMatchObject({ code: 0 });
    };
    for (const agent of ['open', 'broken', 'keyless']) await start(agent, `dashboard-${agent}`);
    const labels = { alertname: 'CheckoutSlow', service: 'checkout' };
    expect(await post('/alerts/prod', webhook({ labels }))).toMatchObject({ status: 202 });
    expect(await post('/alerts/prod', { nothing: true })).toMatchObject({ status: 422 });
    // a rate needs a first value: what is counted before that is not seen
    for (const session of ['dashboard-first', 'dashboard-second']) {
      await start('fine', session);
      await worker.until(new RegExp(`approval asked session=${session}`));
      await callCli(['approve', session], folder);
      await worker.until(new RegExp(`run completed session=${session}`));
      const ended = session === 'dashboard-first' ? '1' : '2';
      await until('Prometheus has it', async () => {
        const found = await ask('holdfast_runs_ended_total{outcome="completed"}');
        return found[0]?.value[1] === ended;
      });
    }
    await until('the fate of the alert is counted once', async () => {
      const [found] = await ask('holdfast_alert_fates_total{receiver="prod", fate="investigating"}');
      return found?.value[1] === '1';
    });
    await until('every delivery has been tried', async () => {
      const found = await ask('holdfast_deliveries_total');
      const results = found.map(({ metric }) => `${metric['destination']} ${metric['result']}`);
      return results.sort().join() === 'away repeated,gone given_up,reports delivered';
    });
    await until('the waits are counted', async () => {
      const found = await ask('holdfast_sessions_waiting > 0');
      const waits = found.map(({ metric, value }) => `${metric['waiting_for']} ${value[1]}`);
      return waits.sort().join() === 'approval 3,operator 1';
    });
    const empty = [];
    for (const { title, expr } of queries) {
      const names = expr.match(/\b(holdfast|temporal)_\w+|\bup\b/g) ?? [];
      expect(names, title).not.toEqual([]);
      if (names.every((name) => onlyInTrouble.test(name))) await ask(expr);
      // a quantile of nothing is there, and is no number
      else if ((await ask(expr)).every(({ value }) => value[1] === 'NaN')) empty.push(`${title}: ${expr}`);
    }
    expect(empty).toEqual([]);
    const promtool = promisify(execFile)(
      programPath('promtool') ?? '',
      ['test', 'rules', 'alerts.test.yml'],
      { cwd: join(deploy, 'prometheus') },
    );
    expect((await promtool).stdout).toContain('SUCCESS');
  },
  120_000,
);

/** The hooks of a test run from the last to the first. */
function endWithTest({ child, ended }: RunningCli): void {
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
}

function withoutThreshold(expr: string): string {
  return expr.replace(/^absent\((.*)\)$/, '$1').replace(/ (?:[<>]|==) [\d.]+$/, '');
}

/** Answers of a chat by the path of its webhook. */
const statusOf: Record<string, number> = { '/gone': 404, '/away': 503 };

/**
 * Agents whose sessions complete after a retry and an approval, wait for one, fail, and wait for a key. A receiver of alerts
 * whose sessions ask in places that take it, refuse it and are away.
 */
async function folderWithTroubles(chat: string): Promise<CliFolder> {
  const read = { tool: 'read', args: { path: 'shop.log' } };
  const answer = { id: 'answer', text: 'That is all.' };
  const fault = (type: 'Model.Overloaded' | 'Model.InvalidRequest' | 'Model.Auth', attempts?: number) => ({
    fault: { type, retryAfterMs: 10, ...(attempts === undefined ? {} : { attempts }) },
  });
  const parts = {
    fine: { name: 'fine', steps: [{ id: 'ask', calls: [read], ...fault('Model.Overloaded', 1) }, answer] },
    open: { name: 'open', steps: [{ id: 'ask', calls: [read] }, answer] },
    broken: { name: 'broken', steps: [{ id: 'ask', ...fault('Model.InvalidRequest') }] },
    keyless: { name: 'keyless', steps: [{ id: 'ask', ...fault('Model.Auth') }] },
  };
  const folder = await makeCliFolder('dashboard', { name: 'main', steps: [answer], parts }, [
    { tool: 'read', decision: 'ask' },
  ]);
  const agents = Object.fromEntries(
    Object.keys(parts).map((name) => [name, { instructions: 'Look.', tools: ['read'] }]),
  );
  const secret = 'secret://signature';
  folder.environment['SIGNATURE_KEY'] = 'signature-0123456789';
  const destinations = {
    reports: { file: { folder: 'reports' } },
    gone: { webhook: { url: `${chat}/gone`, secret } },
    away: { webhook: { url: `${chat}/away`, secret } },
  };
  const deliver = Object.keys(destinations).map((to) => ({ to }));
  const receivers = { prod: { format: 'alertmanager', debounceMs: 0, start: { agent: 'open', deliver } } };
  const secrets = { signature: { env: 'SIGNATURE_KEY' } };
  const more = { model: 'scripted:main', agents, destinations, receivers, secrets };
  await changeConfig(folder, (config) => ({ ...config, ...more }));
  return folder;
}
