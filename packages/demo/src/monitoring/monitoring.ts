// Prometheus and Alertmanager over the demo's shop, which send an alert to the gateway; where they are not installed, a
// sender in this process takes their place. Node.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { messageOf } from '@holdfast/base/message-of';
import { freePort } from '@holdfast/processes/free-port';
import { type AlertTarget, startSender } from './sender.ts';

export type Monitoring = {
  /** Describes the watchers of the shop. */
  words: string;
  stop(): Promise<void>;
};

export type MonitoringOptions = AlertTarget & {
  /** For its files; made if it is not there. */
  dir: string;
  path: string | undefined;
  /** Folders beside PATH in which Debian and people keep servers. */
  folders?: readonly string[];
  /** Takes problems of the sender. */
  say(line: string): void;
};

/** Debian gives Alertmanager a name of its own. */
const programs = { prometheus: ['prometheus'], alertmanager: ['alertmanager', 'prometheus-alertmanager'] };
const startTimeoutMs = 20_000;

export async function startMonitoring(options: MonitoringOptions): Promise<Monitoring> {
  const { path = '', folders: more = ['/usr/local/bin', '/usr/sbin'] } = options;
  const folders = [...path.split(delimiter), ...more].filter(Boolean);
  const find = (names: string[]): string | undefined =>
    folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  const found = { prometheus: find(programs.prometheus), alertmanager: find(programs.alertmanager) };
  const { prometheus, alertmanager } = found;
  if (prometheus === undefined || alertmanager === undefined) {
    const missing = Object.entries(found).flatMap(([name, path]) => (path === undefined ? [name] : []));
    const words = `a sender of the demo (not installed: ${missing.join(', ')})`;
    return { words, stop: startSender(options) };
  }
  return startPrograms(options, { prometheus, alertmanager });
}

async function startPrograms(
  { dir, shopUrl, alertsUrl }: MonitoringOptions,
  paths: { prometheus: string; alertmanager: string },
): Promise<Monitoring> {
  await mkdir(dir, { recursive: true });
  const [port, alertsPort] = [await freePort(), await freePort()];
  const address = `127.0.0.1:${port}`;
  const alertmanager = `127.0.0.1:${alertsPort}`;
  await writeFile(join(dir, 'prometheus.yml'), prometheusConfig(new URL(shopUrl).host, alertmanager));
  await writeFile(join(dir, 'rules.yml'), rules);
  await writeFile(join(dir, 'alertmanager.yml'), alertmanagerConfig(alertsUrl));
  const started: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(end));
  };
  const start = async (name: string, program: string, flags: string[], ready: string): Promise<void> => {
    const logFile = join(dir, `${name}.log`);
    const log = openSync(logFile, 'a');
    const child = spawn(program, flags, { cwd: dir, stdio: ['ignore', log, log] });
    closeSync(log);
    started.push(child);
    await isReady(ready).catch((error: unknown) => {
      throw new Error(`${name} did not start (${messageOf(error)}). Its log is ${logFile}.`);
    });
  };
  try {
    await start(
      'alertmanager',
      paths.alertmanager,
      [
        '--config.file=alertmanager.yml',
        '--storage.path=alertmanager-data',
        `--web.listen-address=${alertmanager}`,
        '--cluster.listen-address=',
      ],
      `http://${alertmanager}/-/ready`,
    );
    await start(
      'prometheus',
      paths.prometheus,
      [
        '--config.file=prometheus.yml',
        '--storage.tsdb.path=prometheus-data',
        `--web.listen-address=${address}`,
      ],
      `http://${address}/-/ready`,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { words: `Prometheus http://${address} and Alertmanager http://${alertmanager}`, stop };
}

function prometheusConfig(shop: string, alertmanager: string): string {
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
alerting:
  alertmanagers:
    - static_configs: [{ targets: ['${alertmanager}'] }]
scrape_configs:
  - { job_name: shop, static_configs: [{ targets: ['${shop}'] }] }
`;
}

const rules = `groups:
  - name: shop
    rules:
      - alert: CheckoutErrors
        expr: sum by (job, instance) (rate(shop_checkouts_total{code=~"5.."}[10s])) > 0.5
        for: 2s
        labels: { severity: critical }
        annotations: { summary: 'Checkouts of the shop fail: {{ $value | printf "%.1f" }} a second.' }
`;

/** Its own waits are short, because the demo is; those of a real one are some minutes. */
function alertmanagerConfig(alertsUrl: string): string {
  return `route: { receiver: holdfast, group_by: [alertname, instance], group_wait: 1s, group_interval: 5s }
receivers:
  - name: holdfast
    webhook_configs: [{ url: '${alertsUrl}' }]
`;
}

async function isReady(url: string): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs;
  for (;;) {
    const problem = await fetch(url).then(
      ({ status }) => (status === 200 ? undefined : `HTTP ${status}`),
      (error: unknown) => messageOf(error),
    );
    if (problem === undefined) return;
    if (performance.now() > giveUpAt) throw new Error(problem);
    await new Promise((next) => setTimeout(next, 100));
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
