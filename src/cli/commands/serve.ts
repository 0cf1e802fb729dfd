// holdfast worker and dev: the processes that sessions need, a worker and this folder's Temporal server, until a
// signal ends them. dev also runs a worker and a gateway on wish.
import { once } from 'node:events';
import { Option } from 'commander';
import { defined } from '@holdfast/base/defined';
import { present } from '@holdfast/base/present';
import type { Config } from '../../config/config.ts';
import type { HoldfastWorker } from '../../worker.ts';
import { httpAddress } from '../../config/ui-address.ts';
import type { Parts } from '../../worker/parts.ts';
import { amount, hostName, name, portNumber, wholeNumber } from '../arguments.ts';
import { type OpenedCommand, type Output, openCommand } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { checkWorker } from '../start-and-follow.ts';
import {
  type ServerCommand,
  openServer,
  restartOwnServer,
  startOwnServer,
  withServer,
} from '../server-access.ts';
import { untilBroken } from '../server-guard.ts';
import { startWorker } from '../live/follow-session.ts';
import { onSignal, startGateway } from './gateway.ts';
import { type TelemetryFlags, addTelemetryOptions, telemetryOf } from '../telemetry-options.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { UserError } from '../../common/user-error.ts';
import { type DevServer, stopDevServer } from '../../dev-server/dev-server.ts';

type WorkerOptions = TelemetryFlags & {
  taskQueue?: string;
  host?: string;
  grace: number;
  activitiesPerSecond?: number;
};

export function registerWorker(program: CliCommand): void {
  program
    .command('worker')
    .option(
      '--task-queue <name>',
      'task queue; default HOLDFAST_TASK_QUEUE, else taskQueue of the config, else one for this folder',
      name,
    )
    .option(
      '--host <name>',
      'run the tools of this host for the sessions of the task queue, and no sessions',
      hostName,
    )
    .option('--grace <seconds>', 'time to finish current calls after SIGTERM', wholeNumber, 25)
    .option('--activities-per-second <count>', 'rate limit of the task queue, over all its workers', amount)
    .with(addTelemetryOptions)
    .examples(
      ['worker', 'worker --task-queue ops --grace 60', 'worker --task-queue ops --host web-1'],
      'SIGTERM or Ctrl-C ends it gracefully; a second one ends it at once.',
    )
    .action(runWorker);
}

async function runWorker(options: WorkerOptions, command: CliCommand): Promise<void> {
  // while the server is reached, or started
  const loading = import('../../worker.ts');
  const { host, grace, activitiesPerSecond } = options;
  await withServer(
    command,
    async ({ cli, config: loaded, access, output, parts }) => {
      const config = {
        ...loaded,
        taskQueue: options.taskQueue ?? loaded.taskQueue,
        telemetry: { ...loaded.telemetry, ...telemetryOf(options) },
      };
      const { createHoldfastWorker } = await loading;
      const worker = await createHoldfastWorker({
        config,
        host,
        parts,
        server: access.settings,
        shutdownGraceMs: grace * 1_000,
        onLack: (lack) => output.say(`! ${lack}`),
        onTakeover: (takeover) => output.emit({ type: 'takeover', ...takeover }),
        activitiesPerSecond,
      });
      onSignal(cli, () => {
        output.say(`Ending: current calls have ${grace} s.`);
        worker.shutdown();
      });
      await describeWorker({ access, config, parts, output }, worker, host);
      await worker.run().catch((error: unknown) => {
        // calls that outlived the worker keep the process alive
        setTimeout(() => process.exit(), 1_000).unref();
        throw error;
      });
    },
    {
      // a host's server runs elsewhere, or already
      create: host === undefined,
      config: 'whole',
      check: (config) => (host === undefined ? checkWorker(config) : collectHostParts(config)),
    },
  );
}

async function describeWorker(
  { access, config, parts, output }: Omit<ServerCommand, 'cli'>,
  worker: HoldfastWorker,
  host: string | undefined,
): Promise<void> {
  const { address, namespace } = access.settings;
  const { taskQueue, model } = config;
  const health = worker.healthAddress && `http://${worker.healthAddress}/readyz`;
  const runs = host === undefined ? { model } : { host };
  output.emit(
    defined({ type: 'worker', address, namespace, taskQueue, ...runs, health: health || undefined }),
  );
  output.print(`worker on ${address}, namespace ${namespace}, task queue ${taskQueue}`);
  if (host === undefined) describeSessions(config, output);
  else output.print(`host   ${host}: ${await offered(parts)}`);
  // on standard error it would be between the lines of the log
  if (health) output.print(`health ${health}`);
  worker.warnings.forEach((warning) => output.say(`warning: ${withTyped(warning)}`));
}

async function collectHostParts(config: Config): Promise<Parts> {
  const { collectParts } = await import('../../worker/parts.ts');
  return collectParts(config);
}

async function offered(parts: Parts | undefined): Promise<string> {
  const { offeredTools } = await import('../../worker/tool-sources/host-source.ts');
  return (parts && offeredTools(parts.tools).join(', ')) || 'it offers no tools';
}

function describeSessions({ model, modelReason, agents, encryption }: Config, { print }: Output): void {
  print(`model  ${model} (${modelReason})`);
  if (encryption) print(`encryption with key ${encryption.activeKey}`);
  const names = Object.keys(agents);
  if (names.length > 0) print(`agents ${names.join(', ')}`);
}

type ServerOptions = {
  port?: number;
  uiPort?: number;
  httpPort?: number | true;
  stop?: boolean;
  background?: boolean;
  gateway?: boolean;
};

export function registerDev(program: CliCommand): void {
  program
    .command('dev')
    .option('--port <port>', 'port of the server; default a free one', portNumber)
    .option('--ui-port <port>', 'port of the UI; default a free one', portNumber)
    .option('--http-port [port]', "open Temporal's HTTP API, on this port or a free one", portNumber)
    .option('--gateway', 'also run a worker and a gateway, in this process')
    .addOption(new Option('--background', 'leave the server running and return').conflicts('gateway'))
    .option('--stop', 'end the running server')
    .examples(
      ['dev', 'dev --gateway', 'dev --background', 'dev --stop'],
      'Its database survives the kill of every process. After a power cut the commits of the last moments may be missing.',
    )
    .action(async (options: ServerOptions, command: CliCommand) =>
      runDev(await openCommand(command, options.gateway ? 'whole' : 'nothing'), options),
    );
}

async function runDev({ cli, output, config }: OpenedCommand, options: ServerOptions): Promise<void> {
  if (options.stop) {
    const stopped = await stopDevServer(config.dir);
    output.emit({ stopped });
    output.print(
      stopped ? `Ended the Temporal server of ${config.dir}.` : `No Temporal server runs for ${config.dir}.`,
    );
    return;
  }
  const parts = options.gateway ? await checkWorker(config) : undefined;
  const server = await startOwnServer(config, output.say, options);
  const { address, uiUrl, httpUrl, namespace, pid, started } = server;
  const httpApi = httpUrl && httpAddress(httpUrl, namespace);
  output.emit({ address, uiUrl, httpUrl: httpApi, namespace, pid, started });
  output.print(
    `Temporal ${address}, namespace ${namespace}\nUI       ${uiUrl}\n  "${typed('doctor --fix')}" sets up its views and columns\n${httpApi ? `HTTP     ${httpApi}\n` : ''}  TEMPORAL_ADDRESS=${address}`,
  );
  if (options.background || !started) {
    if (!started) output.say('It was running already, and keeps running.');
    if (!options.gateway) return;
  }
  const beside = options.gateway ? await startBeside({ cli, output, config, parts }) : undefined;
  output.say('Ctrl-C ends it.');
  const beat = setInterval(() => {}, 60_000);
  const signals = [once(process, 'SIGINT'), once(process, 'SIGTERM')].map((signal) =>
    signal.then(() => true),
  );
  let own = server;
  let wasSignalled: boolean | undefined;
  while (wasSignalled === undefined) {
    const over = new AbortController();
    const ends = present([
      ...signals,
      own.ended?.then(() => false),
      beside?.failed,
      own.started && untilBroken(address, over.signal).then(() => undefined),
    ]);
    wasSignalled = await Promise.race(ends);
    over.abort();
    if (wasSignalled !== undefined) break;
    const why = { address, how: 'answers errors only', broken: own.id };
    own = (await restartOwnServer(config, output.say, why)) ?? own;
  }
  clearInterval(beat);
  await beside?.stop();
  // the note stays: a run that is followed elsewhere restarts the server
  if (!wasSignalled) throw serverDied(own);
  if (own.started) await own.stop();
}

/** A worker and a gateway in the process of `dev`; `failed` rejects when the worker has. */
async function startBeside(
  frame: Omit<ServerCommand, 'access'>,
): Promise<{ failed: Promise<never>; stop(): Promise<void> }> {
  const { config, output } = frame;
  // of this folder, whatever server the environment names
  const { address: _, ...temporal } = config.temporal;
  const access = await openServer({ config: { ...config, temporal }, say: output.say });
  const whole = { ...frame, access, config: { ...config, uiUrl: access.devServer?.uiUrl } };
  const worker = await startWorker(whole);
  const gateway = await startGateway(whole, { besideWorker: true });
  return {
    failed: worker.running.then(() => new Promise<never>(() => {})),
    stop: async () => {
      await gateway.stop(2_000);
      await worker.stop();
      await access.close();
    },
  };
}

function serverDied({ address, pid, logFile }: DevServer): UserError {
  return new UserError(
    `The Temporal server ${address} (pid ${pid}) has ended, and not by this command. Its log is ${logFile}. ` +
      `"${typed('dev')}" starts it again, with all its sessions.`,
    exitCodes.noServer,
  );
}
