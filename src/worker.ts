// The worker of Holdfast: from a config to a running Temporal worker. Composition only; also a library entry.
import { mapValuesAsync } from '@holdfast/base/map-values';
import { defined } from '@holdfast/base/defined';
import { messageOf } from '@holdfast/base/message-of';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { readerSinks, createWorkerId, toIdentity, tuneWorker } from './worker/worker-options.ts';
import { type DeltaBus, createDeltaBus } from './activities/base/delta-bus.ts';
import type { ArtifactStore } from './activities/storage/artifact-store.ts';
import { dataConverterOf, type EncryptionKeys } from './codec/payload-codec.ts';
import { openArtifactStore } from './config/artifacts.ts';
import type { Config } from './config/config.ts';
import type { TemporalSettings } from './config/temporal-settings.ts';
import type { SessionInput } from '@holdfast/vocabulary/session-input';
import { hostQueue } from './core/tools/hosts.ts';
import { useProxies } from './config/proxy.ts';
import { NoServerError, assertNamespace, toConnectionOptions } from './config/temporal-connection.ts';
import { openSecrets, readKeys, silent } from './config/secrets.ts';
import { describeTakeover, type Takeover } from './worker/describe-takeover.ts';
import { startQuickResume, type QuickResume } from './worker/take-over.ts';
import { createSessionService } from './nexus/session-handlers.ts';
import { composeActivities, composeHostActivities } from './worker/compose-activities.ts';
import type { Parts } from './worker/parts.ts';
import type { PlayedModel } from './worker/providers.ts';
import { installRuntime } from './worker/telemetry/install-runtime.ts';
import { createCallMetrics, toExporter } from './worker/telemetry/metrics.ts';
import { observeActivities } from './worker/telemetry/observe-activities.ts';
import type { Tracing } from './worker/telemetry/tracing.ts';
import { endWorker, openHealth, runWatched } from './worker/telemetry/watch-worker.ts';
import { cleanLog } from './worker/telemetry/worker-log.ts';
import { reportLacks } from './worker/unfit-worker.ts';
import { registerSearchAttributes } from './worker/register-attributes.ts';
import { getWorkflowBundle, toBuildId, type WorkflowCode } from './worker/workflow-bundle.ts';

export { loadConfig } from './config/config.ts';
export { ConfigError } from './config/config-file.ts';
export type { Config, ConfigInput } from './config/config.ts';
export type { SessionInput } from '@holdfast/vocabulary/session-input';

export type WorkerInput = {
  config: Config;
  /** Serves the tools of this host on the host's own queue (docs/hosts.md), and no sessions. */
  host?: string | undefined;
  /** Default: the server of the config. */
  server?: TemporalSettings & { address: string };
  /** Grace time for running calls after `shutdown`. Default 25 s. */
  shutdownGraceMs?: number;
  /** Limit of activities started per second from this task queue, over all its workers; the server enforces it. */
  activitiesPerSecond?: number | undefined;
  /** Errors of workflow code have stacks, which costs a tenth of a turn's time. Default: only `holdfast replay` has them. */
  workflowStacks?: boolean;
  /**
   * The parts of this config, if a check has already collected them.
   * @internal
   */
  parts?: Parts | undefined;
  /**
   * Replaces every model, and the tools of a recording answer from it. For tests: no key is needed.
   * @internal
   */
  play?: PlayedModel;
  /** Log file; default standard error. The first worker of a process decides. */
  logFile?: string;
  /** Called when a worker of this folder and task queue has died and its calls were ended, to run again elsewhere. */
  onTakeover?(takeover: Takeover): void;
  /** Called once for each part that a session needs and this worker lacks; the session waits. Default: the SDK's log. */
  onLack?(lack: string): void;
};

export type HoldfastWorker = {
  /** Polls until `shutdown`. Resolves when all calls have ended; rejects 30 s after the grace time if some have not. */
  run(): Promise<void>;
  /** Stops polling. Calls that outlast the grace time are cancelled and repeated elsewhere. */
  shutdown(): void;
  /** Live output of the models and tools in this process. */
  deltaBus: DeltaBus;
  /** Throws an Error that names an agent, tool or model unknown to this worker. */
  checkInput(input: SessionInput): void;
  /** Adds the model and tools of this worker to the input, so that any worker assembles the same run. */
  complete(input: SessionInput): SessionInput;
  /**
   * Replaces the agents of the config for runs that begin from now on; one that cannot run keeps its former definition,
   * with a line in the log. Agent files are read as before. Rejects with a ConfigError.
   */
  setAgents(agents: Config['agents']): Promise<void>;
  /** Shown to people at start. */
  warnings: string[];
  /** The subset of `warnings` that is shown wherever a worker starts, also inside a command. */
  alarms: string[];
  /** The worker's identity on the Temporal server. */
  identity: string;
  /** Address of `/healthz` and `/readyz`; absent unless the config has one. */
  healthAddress?: string;
};

const defaultGraceMs = 25_000;

export async function createHoldfastWorker(input: WorkerInput): Promise<HoldfastWorker> {
  const { config } = input;
  await useProxies(config.environment);
  const encryption = await readKeys(config);
  // read while the server is asked
  const traced = config.telemetry.traces !== undefined;
  const bundle = getWorkflowBundle({
    encrypted: encryption !== undefined,
    traced,
    stacks: input.workflowStacks ?? false,
  });
  bundle.catch(() => undefined);
  const server = input.server ?? requireAddress(config.temporal);
  const options = toConnectionOptions(server);
  // before the runtime, which stays alive until a connection closes
  const artifacts = await openArtifactStore(config);
  await startRuntime(input);
  const connection = await connect(options);
  const opened = new AsyncDisposableStack();
  opened.defer(() => connection.close());
  try {
    // the SDK's worker is made last: one that has failed at its start, or never runs, cannot be closed
    await assertNamespace(connection, server);
    const id = createWorkerId();
    const identity = toIdentity(id);
    const made: { worker?: Worker } = {};
    const health = await openHealth(config, {
      connection,
      identity,
      namespace: server.namespace,
      worker: () => made.worker,
    });
    if (health) opened.defer(() => health.close());
    const quickResume = await quickResumeOf(input, { id, connection, server });
    opened.defer(() => quickResume.close());
    const place = { id, artifacts, connection, server, bundle, encryption, opened };
    const { worker, ...rest } = await createWorker(input, place);
    made.worker = worker;
    const subject = { config, connection, identity, namespace: server.namespace };
    return {
      run: async () => {
        try {
          await runWatched(worker, { ...subject, hasSessions: input.host === undefined });
        } finally {
          await opened.disposeAsync();
        }
      },
      shutdown: () => endWorker(worker),
      ...rest,
      ...defined({ healthAddress: health?.address }),
      warnings: [...rest.warnings, ...quickResume.warnings],
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** The tracing packages are loaded only if the config names an exporter. */
async function trace(config: Config, identity: string): Promise<Tracing | undefined> {
  const { traces } = config.telemetry;
  if (traces === undefined) return undefined;
  const { openTracing } = await import('./worker/telemetry/tracing.ts');
  const { resolve } = openSecrets(config, silent);
  return openTracing({ ...traces, headers: await mapValuesAsync(traces.headers ?? {}, resolve) }, identity);
}

/** The log and the metrics belong to the process. */
async function startRuntime({ config, logFile }: WorkerInput): Promise<void> {
  const { logFormat: format, logLevel: level, metrics: target } = config.telemetry;
  const { resolve } = openSecrets(config, silent);
  const metrics = target && (await toExporter(target, resolve));
  installRuntime(logFile, { format, level, metrics });
}

/** A host's worker takes no part: no session uses its queue, and missed heartbeats end its calls. */
async function quickResumeOf(
  { config, host, onTakeover }: WorkerInput,
  { id, connection, server }: Pick<WorkerResources, 'id' | 'connection' | 'server'>,
): Promise<Pick<QuickResume, 'close' | 'warnings'>> {
  if (host !== undefined) return { close: () => Promise.resolve(), warnings: [] };
  return startQuickResume({
    id,
    identity: toIdentity(id),
    dir: config.dir,
    connection,
    address: server.address,
    namespace: server.namespace,
    taskQueue: config.taskQueue,
    onTakeover(takeover) {
      Runtime.instance().logger.warn(describeTakeover(takeover));
      onTakeover?.(takeover);
    },
  });
}

type WorkerResources = {
  id: string;
  artifacts: ArtifactStore;
  connection: NativeConnection;
  server: TemporalSettings & { address: string };
  bundle: Promise<WorkflowCode>;
  encryption: EncryptionKeys | undefined;
  /** Closed with the worker, or when it cannot start. */
  opened: AsyncDisposableStack;
};

async function createWorker(
  { config, host, parts, play, onLack, activitiesPerSecond, shutdownGraceMs = defaultGraceMs }: WorkerInput,
  { id, artifacts, connection, server: { namespace }, bundle, encryption, opened }: WorkerResources,
): Promise<Omit<HoldfastWorker, 'run' | 'shutdown'> & { worker: Worker }> {
  const deltaBus = createDeltaBus();
  const none = { registered: [], missing: [] };
  const attributes = host === undefined ? await registerSearchAttributes(connection, namespace) : none;
  const tuned = tuneWorker(shutdownGraceMs, id);
  const composeInput = {
    config,
    parts,
    artifacts,
    deltaBus,
    searchAttributes: attributes.registered,
    identity: tuned.identity,
    ...defined({ play }),
    log: (line: string) => Runtime.instance().logger.warn(line),
  };
  const composed = await (host === undefined
    ? composeActivities(composeInput)
    : composeHostActivities(composeInput, host));
  const { checkInput, complete, setAgents, warnings, alarms, redactor, close } = composed;
  opened.defer(cleanLog(redactor.text));
  const taskQueue = host === undefined ? config.taskQueue : hostQueue(config.taskQueue, host);
  const metrics = createCallMetrics({
    meter: Runtime.instance().metricMeter,
    tags: { namespace, task_queue: taskQueue },
    effectOf: (tool) => composed.effectOf(tool),
  });
  const tracing = await trace(config, tuned.identity);
  if (tracing) opened.defer(() => tracing.close());
  opened.defer(close);
  const activity = [...(tracing?.activity ?? []), reportLacks(onLack), observeActivities(metrics)];
  const nexusServices = host === undefined && config.nexus ? [createSessionService()] : undefined;
  const worker = await Worker.create({
    ...tuned,
    connection,
    namespace,
    taskQueue,
    ...defined({ maxTaskQueueActivitiesPerSecond: activitiesPerSecond, nexusServices }),
    ...(host === undefined ? { workflowBundle: await bundle, buildId: toBuildId(await bundle) } : {}),
    dataConverter: dataConverterOf(namespace, encryption),
    activities: composed.activities,
    interceptors: { activity },
    sinks: { ...tracing?.sinks, ...readerSinks(deltaBus) },
  });
  return {
    worker,
    deltaBus,
    checkInput,
    complete,
    setAgents,
    alarms,
    identity: tuned.identity,
    warnings: [...attributeWarning(attributes), ...warnings],
  };
}

function requireAddress(settings: TemporalSettings): TemporalSettings & { address: string } {
  const { address } = settings;
  if (address !== undefined) return { ...settings, address };
  throw new NoServerError('No Temporal server is named: set TEMPORAL_ADDRESS, or pass `server`.');
}

async function connect(options: ReturnType<typeof toConnectionOptions>): Promise<NativeConnection> {
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    const reason = messageOf(error);
    throw new NoServerError(`No Temporal server at ${options.address} for the worker (${reason}).`, {
      cause: error,
    });
  }
}

function attributeWarning({ missing, reason }: { missing: string[]; reason?: string }): string[] {
  if (missing.length === 0) return [];
  return [
    `Search attributes not registered: ${missing.join(', ')}${reason ? ` (${reason})` : ''}. ` +
      `Sessions run, but the UI cannot filter by them; "holdfast doctor" prints the command that creates them.`,
  ];
}
