// The checkout incident: a shop and a payments service with real load, and, unless it is healthy, two deploys, one of
// which cuts the payments service's connection pool. Node; started by the demo and by tests.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes } from '../../../../src/common/exit-codes.ts';
import { UserError } from '../../../../src/common/user-error.ts';
import { configPath, reload, writeDeploy } from './deploys.ts';
import { writePlace, type IncidentPlace } from './place.ts';
import { planIncident, queryMs, type IncidentPlan } from './plan.ts';
import { promptFor } from './prompt.ts';
import { startProcess, stopProcesses, type Running } from './processes.ts';

export type IncidentOptions = {
  /** An empty folder, or one that does not exist. */
  dir: string;
  seed: number;
  /** No deploys, so no fault. */
  healthy?: boolean;
  /** Uses the configuration of examples/team. */
  team?: boolean;
  /** Adds a receiver of alerts, and a destination of reports, to the configuration. */
  alert?: boolean;
};

export type Incident = {
  /** The task for the agent: the complaint, and the places to look at. Does not name the cause. */
  prompt: string;
  plan: IncidentPlan;
  place: IncidentPlace;
  logsDir: string;
  urls: { shop: string; payments: string };
  /** `host:port` of both services. */
  allowHosts: string[];
  /** A Holdfast config for a worker that investigates this incident. */
  configFile: string;
  /** Runs the system without a fault for a while, then deploys and waits until the fault shows in the metrics. */
  deploy(): Promise<void>;
  /** Ends only the customers, after which the metrics have no data. For tests. */
  stopLoad(): Promise<void>;
  /** Ends every process of the incident. The files stay. */
  stop(): Promise<void>;
};

/** Starts the system without a fault. If a process does not start, it throws with nothing left running. */
export async function startIncident({
  dir,
  seed,
  healthy = false,
  team = false,
  alert = false,
}: IncidentOptions): Promise<Incident> {
  const plan = planIncident(seed);
  const systemDir = join(dir, 'system');
  const logsDir = join(systemDir, 'logs');
  await mkdir(logsDir, { recursive: true });
  await writeFirstVersions(systemDir, plan);
  const processes: Running[] = [];
  try {
    const startedAt = Date.now();
    const urls = await startServices(dir, plan, processes);
    const place = await writePlace({ dir, systemDir, urls });
    return {
      prompt: promptFor(place),
      plan,
      place,
      logsDir,
      urls,
      allowHosts: [new URL(urls.shop).host, new URL(urls.payments).host],
      configFile: await writeConfigFile(dir, { team, alert }),
      deploy: () => whileRunning(processes, deploy(place, plan, startedAt, healthy)),
      stopLoad: () => stopProcesses(processes.filter(({ name }) => name === 'load')),
      stop: () => stopProcesses(processes),
    };
  } catch (error) {
    await stopProcesses(processes);
    throw error;
  }
}

async function startServices(
  dir: string,
  plan: IncidentPlan,
  processes: Running[],
): Promise<Incident['urls']> {
  const systemDir = join(dir, 'system');
  const start = async (name: string, options: Record<string, string | number>): Promise<Running> => {
    const running = await startProcess(name, options, join(dir, 'output.log'));
    processes.push(running);
    return running;
  };
  const files = (service: 'shop' | 'payments') => ({
    config: configPath(systemDir, service),
    log: join(systemDir, 'logs', `${service}.log`),
  });
  const database = await start('database', { 'query-ms': queryMs });
  const payments = await start('payments', { ...files('payments'), 'database-port': database.port });
  const shop = await start('shop', {
    ...files('shop'),
    'database-port': database.port,
    'payments-port': payments.port,
  });
  await start('load', { 'shop-port': shop.port, 'per-second': plan.checkoutsPerSecond });
  return { shop: `http://127.0.0.1:${shop.port}`, payments: `http://127.0.0.1:${payments.port}` };
}

/** A config file as a user would write it, with the incident's own tool. */
async function writeConfigFile(dir: string, options: { team: boolean; alert: boolean }): Promise<string> {
  const source = new URL(`./config${extname(import.meta.url)}`, import.meta.url).href;
  const path = join(dir, 'holdfast.config.mjs');
  const lines = [
    `import { createCheckoutConfig } from ${JSON.stringify(source)};`,
    `export default createCheckoutConfig(import.meta.dirname, ${JSON.stringify(options)});`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

async function writeFirstVersions(systemDir: string, plan: IncidentPlan): Promise<void> {
  const { payments, shop } = plan.deployIds;
  const paymentsConfig = paymentsVersion(plan.poolBefore);
  await writeDeploy(systemDir, {
    id: payments,
    service: 'payments',
    by: 'ci',
    change: 'release 2.8.0',
    config: paymentsConfig,
  });
  await writeDeploy(systemDir, {
    id: shop,
    service: 'shop',
    by: 'ci',
    change: 'release 5.1.0',
    config: shopVersion('Welcome'),
  });
}

async function deploy(
  place: IncidentPlace,
  plan: IncidentPlan,
  startedAt: number,
  healthy: boolean,
): Promise<void> {
  const { systemDir, urls } = place;
  const { payments, shop, banner, fault } = plan.deployIds;
  await sleep(Math.max(0, startedAt + plan.baselineMs - Date.now()));
  if (healthy) return;
  const bannerConfig = shopVersion('Spring sale');
  await writeDeploy(systemDir, {
    id: banner,
    service: 'shop',
    from: shop,
    by: 'ci',
    change: 'spring sale banner',
    config: bannerConfig,
  });
  await reload(urls.shop);
  await sleep(plan.gapMs);
  const faultConfig = paymentsVersion(plan.poolAfter);
  await writeDeploy(systemDir, {
    id: fault,
    service: 'payments',
    from: payments,
    by: 'ci',
    change: 'tidy database settings',
    config: faultConfig,
  });
  await reload(urls.payments);
  await waitForFault(urls.payments);
}

/** Waits as long as a slow machine needs. Throws if a process ends, which a person's Ctrl-C also brings about. */
async function whileRunning(processes: readonly Running[], work: Promise<void>): Promise<void> {
  const ends = processes.map(async ({ name, process: child }) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    throw new UserError(`The incident's process "${name}" has ended.`, exitCodes.failed);
  });
  await Promise.race([work, ...ends]);
}

/** Waits until charges have timed out and the window of the metrics is full of slow ones. */
async function waitForFault(paymentsUrl: string): Promise<void> {
  for (;;) {
    const metrics = await readMetrics(paymentsUrl);
    const timeouts = metrics.get('payments_db_pool_timeouts_total') ?? 0;
    const slowest = metrics.get('payments_request_duration_seconds{quantile="0.5"}') ?? 0;
    if (timeouts >= 10 && slowest > 0.3) return;
    await sleep(200);
  }
}

/** A service's metrics by name and labels, as its `/metrics` shows them now. */
export async function readMetrics(serviceUrl: string): Promise<Map<string, number>> {
  const response = await fetch(`${serviceUrl}/metrics`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

const paymentsVersion = (poolSize: number) => ({
  database: { pool_size: poolSize, acquire_timeout_ms: 800 },
});

const shopVersion = (banner: string) => ({
  banner: { text: banner },
  payments: { timeout_ms: 2_000 },
  catalog: { refresh_every_ms: 1_500, expected_refresh_ms: 100 },
});
