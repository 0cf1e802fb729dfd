// The worker of Holdfast: config to dependencies to a Temporal worker. Composition only; also a library entry.
import { messageOf } from './core/base/message-of.ts';
import { NativeConnection, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { type DeltaBus, createDeltaBus } from './activities/delta-bus.ts';
import type { ArtifactStore } from './activities/storage/artifact-store.ts';
import { toDataConverter } from './codec/data-converter.ts';
import { createPayloadCodec, type EncryptionKeys } from './codec/payload-codec.ts';
import { openArtifactStore } from './config/artifacts.ts';
import type { Config } from './config/config.ts';
import type { TemporalSettings } from './config/temporal-settings.ts';
import type { SessionInput } from './core/model/session-input.ts';
import { hostQueue } from './core/tools/hosts.ts';
import { NoServerError, toConnectionOptions } from './config/temporal-connection.ts';
import { openSecrets, readKeys, silent } from './config/secrets.ts';
import { describeTakeover, type Takeover } from './worker/describe-takeover.ts';
import { startQuickResume } from './worker/take-over.ts';
import { createSessionService } from './nexus/session-handlers.ts';
import { composeActivities, composeHostActivities } from './worker/compose-activities.ts';
import type { Parts } from './worker/parts.ts';
import type { PlayedModel } from './worker/providers.ts';
import { installRuntime } from './worker/telemetry/install-runtime.ts';
import { createCallMetrics, resolveAll, toExporter } from './worker/telemetry/metrics.ts';
import { observeActivities } from './worker/telemetry/observe-activities.ts';
import type { Tracing } from './worker/telemetry/tracing.ts';
import { watchWorker } from './worker/telemetry/watch-worker.ts';
import { cleanLog } from './worker/telemetry/worker-log.ts';
import { reportLacks } from './worker/unfit-worker.ts';
import { registerSearchAttributes } from './worker/register-attributes.ts';
import { createWorkerId, toIdentity, tuneWorker } from './worker/worker-options.ts';
import { getWorkflowBundle } from './worker/workflow-bundle.ts';

export { loadConfig } from './config/config.ts';
export type { Takeover } from './worker/describe-takeover.ts';
export type { Config } from './config/config.ts';
export type { Environment } from './config/environment.ts';
export { ConfigError } from './config/config-file.ts';
export type { DeltaBus } from './activities/delta-bus.ts';
export type { ShellSettings } from './activities/tools/built-in/shell-settings.ts';
export type { ChosenModel } from './config/choose-model.ts';
export type { LoadedConfigFile } from './config/config-file.ts';
export type { ConfigInput, OwnParts } from './config/config.ts';
export type { ProviderSettings, Providers } from './config/resolve-providers.ts';
export type { ShellOptions } from './config/shell.ts';
export type { TemporalSettings, TlsSettings } from './config/temporal-settings.ts';
export type { ShellAccess } from './core/model/frozen-context.ts';
export type { LiveEvent, LiveHead } from './core/model/session-events.ts';
export type {
  CheckpointInput,
  ParentLink,
  SessionInput,
  StoredCheckpoint,
} from './core/model/session-input.ts';
export type { Metrics, Telemetry } from './config/telemetry.ts';

export type WorkerInput = {
  config: Config;
  /** It serves the tools of this host on a queue of their own (docs/hosts.md), and no sessions. */
  host?: string | undefined;
  /** Default: the config's. */
  server?: TemporalSettings & { address: string };
  /** Time for calls in hand after `shutdown`. Default 25 s. */
  shutdownGraceMs?: number;
  /** At most so many activities a second start from this task queue, over all its workers; the server counts. */
  activitiesPerSecond?: number;
  /**
   * Of this config, where a check has collected them: it is composed once.
   * @internal
   */
  parts?: Parts | undefined;
  /**
   * In place of every model; a recording's tools answer as they did then. For tests: no key is asked for.
   * @internal
   */
  play?: PlayedModel;
  /** Where the log goes; default standard error. The first worker of a process decides. */
  logFile?: string;
  /** A worker of the same folder and task queue is dead, and its calls are ended, to run again elsewhere. */
  onTakeover?(takeover: Takeover): void;
  /** A session needs a part that this worker lacks, reported once for each; its tasks wait for another worker. Default: the SDK's log. */
  onLack?(lack: string): void;
};

export type HoldfastWorker = {
  /** Polls until `shutdown`; resolves when everything in hand has ended. */
  run(): Promise<void>;
  /** Takes no more work; what still runs after the grace time is cancelled, and repeated elsewhere. */
  shutdown(): void;
  /** What models write and tools print in this process, live. */
  deltaBus: DeltaBus;
  /** Throws an Error that names the agent, tool or model that this worker does not know. */
  checkInput(input: SessionInput): void;
  /** The input with the model and tools of this worker: whichever worker assembles the run, it gets these. */
  complete(input: SessionInput): SessionInput;
  /** For people, at start. */
  warnings: string[];
  /** Those of them that are said wherever a worker starts, also within a command. */
  alarms: string[];
  /** As the server lists it. */
  identity: string;
  /** Where `/healthz` and `/readyz` answer, where the config asks for them. */
  healthAddress?: string;
};

const defaultGraceMs = 25_000;

export async function createHoldfastWorker(input: WorkerInput): Promise<HoldfastWorker> {
  const { config } = input;
  const encryption = await readKeys(config);
  // read while the server is asked
  const traced = config.telemetry.traces !== undefined;
  const bundle = getWorkflowBundle({ encrypted: encryption !== undefined, traced });
  bundle.catch(() => undefined);
  // before the runtime, which only a connection that closes lets go of
  const artifacts = await openArtifactStore(config);
  await startRuntime(input);
  const server = input.server ?? requireAddress(config.temporal);
  const connection = await connect(server);
  const id = createWorkerId();
  const quickResume =
    input.host === undefined
      ? await startQuickResume({
          ...{ id, identity: toIdentity(id), dir: config.dir, connection },
          ...{ address: server.address, namespace: server.namespace, taskQueue: config.taskQueue },
          onTakeover(takeover) {
            Runtime.instance().logger.warn(describeTakeover(takeover));
            input.onTakeover?.(takeover);
          },
        })
      : noQuickResume;
  const close = async (): Promise<void> => {
    await quickResume.close();
    await connection.close();
  };
  try {
    const { worker, closeParts, ...rest } = await createWorker(input, {
      ...{ id, artifacts, connection, server, bundle, encryption },
    });
    const subject = { config, connection, identity: rest.identity, namespace: server.namespace };
    const watched = await watchWorker(worker, { ...subject, hasSessions: input.host === undefined }).catch(
      async (error: unknown) => {
        await closeParts();
        throw error;
      },
    );
    return {
      run: async () => {
        try {
          await watched.run();
        } finally {
          await closeParts();
          await close();
        }
      },
      shutdown: () => endWorker(worker),
      ...rest,
      ...(watched.healthAddress === undefined ? {} : { healthAddress: watched.healthAddress }),
      warnings: [...rest.warnings, ...quickResume.warnings],
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Loaded only where it is asked for. */
async function trace(config: Config, identity: string): Promise<Tracing | undefined> {
  const { traces } = config.telemetry;
  if (traces === undefined) return undefined;
  const { openTracing } = await import('./worker/telemetry/tracing.ts');
  const { resolve } = openSecrets(config, silent);
  return openTracing({ ...traces, headers: await resolveAll(traces.headers ?? {}, resolve) }, identity);
}

/** Its log and metrics are those of the process. */
async function startRuntime({ config, logFile }: WorkerInput): Promise<void> {
  const { logFormat: format, logLevel: level, metrics: target } = config.telemetry;
  const { resolve } = openSecrets(config, silent);
  const metrics = target && (await toExporter(target, resolve));
  installRuntime(logFile, { format, level, metrics });
}

/** The calls of a host's worker are missed by their heartbeats: it is found by no session of its queue. */
const noQuickResume = { close: () => Promise.resolve(), warnings: [] };

type Place = {
  id: string;
  artifacts: ArtifactStore;
  connection: NativeConnection;
  server: TemporalSettings;
  bundle: Promise<WorkflowBundleOption>;
  encryption: EncryptionKeys | undefined;
};

async function createWorker(
  { config, host, parts, play, onLack, activitiesPerSecond, shutdownGraceMs = defaultGraceMs }: WorkerInput,
  { id, artifacts, connection, server: { namespace }, bundle, encryption }: Place,
): Promise<Omit<HoldfastWorker, 'run' | 'shutdown'> & { worker: Worker; closeParts(): Promise<void> }> {
  const deltaBus = createDeltaBus();
  const attributes =
    host === undefined
      ? await registerSearchAttributes(connection, namespace)
      : { registered: [], missing: [] };
  const searchAttributes = attributes.registered;
  const tuned = tuneWorker(shutdownGraceMs, id);
  const composeInput = {
    ...{ config, parts, artifacts, deltaBus, searchAttributes, identity: tuned.identity },
    ...(play === undefined ? {} : { play }),
    log: (line: string) => Runtime.instance().logger.warn(line),
  };
  const composed = await (host === undefined
    ? composeActivities(composeInput)
    : composeHostActivities(composeInput, host));
  const taskQueue = host === undefined ? config.taskQueue : hostQueue(config.taskQueue, host);
  const metrics = createCallMetrics({
    meter: Runtime.instance().metricMeter,
    tags: { namespace, task_queue: taskQueue },
    effectOf: (tool) => composed.effectOf(tool),
  });
  const tracing = await trace(config, tuned.identity);
  const worker = await Worker.create({
    ...tuned,
    ...{ connection, namespace, taskQueue },
    ...(activitiesPerSecond === undefined ? {} : { maxTaskQueueActivitiesPerSecond: activitiesPerSecond }),
    ...(host === undefined ? { workflowBundle: await bundle } : {}),
    ...(host === undefined && config.nexus ? { nexusServices: [createSessionService()] } : {}),
    dataConverter: toDataConverter(createPayloadCodec(namespace, encryption), encryption !== undefined),
    activities: composed.activities,
    interceptors: {
      activity: [...(tracing?.activity ?? []), reportLacks(onLack), observeActivities(metrics)],
    },
    ...(tracing && { sinks: tracing.sinks }),
  });
  const { checkInput, complete, warnings, alarms, redactor, close } = composed;
  const forgetSecrets = cleanLog(redactor.text);
  const closeParts = async (): Promise<void> => {
    await close();
    await tracing?.close();
    forgetSecrets();
  };
  return {
    ...{ worker, closeParts, deltaBus, checkInput, complete, alarms, identity: tuned.identity },
    warnings: [...attributeWarning(attributes), ...warnings],
  };
}

/** Twice is once: a second signal must not throw. */
function endWorker(worker: Worker): void {
  if (worker.getState() === 'RUNNING') worker.shutdown();
}

function requireAddress(settings: TemporalSettings): TemporalSettings & { address: string } {
  const { address } = settings;
  if (address !== undefined) return { ...settings, address };
  throw new NoServerError('No Temporal server is named: set TEMPORAL_ADDRESS, or pass `server`.');
}

async function connect(server: TemporalSettings & { address: string }): Promise<NativeConnection> {
  const options = await toConnectionOptions(server);
  try {
    return await NativeConnection.connect(options);
  } catch (error) {
    const reason = messageOf(error);
    throw new NoServerError(`No Temporal server at ${server.address} for the worker (${reason}).`, {
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
