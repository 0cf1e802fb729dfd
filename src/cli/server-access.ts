// Connects a command to its Temporal server: TEMPORAL_ADDRESS, else this folder's own dev server, which is started if
// useful. Never a stranger's server that happens to listen. Also the frame in which most commands run.
import { existsSync } from 'node:fs';
import { openArtifactAccess } from '../config/artifacts.ts';
import { httpAddress, uiAddress } from '../config/ui-address.ts';
import type { Config } from '../config/config.ts';
import { readKeys } from '../config/secrets.ts';
import { type LiveBus, createClient } from '../client.ts';
import { connectClient } from '../config/temporal-connection.ts';
import { type ConfigNeed, type OpenedCommand, type OwnCommand, openCommand } from './cli.ts';
import { typed } from '../config/command-line.ts';
import {
  type DevServer,
  type DevServerOptions,
  databaseOf,
  findDevServer,
  restartDevServer,
  useDevServer,
} from '../dev-server/dev-server.ts';
import { prepareFolder } from '../dev-server/dev-server-note.ts';
import { describeOlder, getTemporalBinary } from '../dev-server/temporal-binary.ts';
import type { Parts } from '../worker/parts.ts';
import { type ExitCode, exitCodes } from '../common/exit-codes.ts';
import { UserError } from '../common/user-error.ts';

export type AccessOptions = {
  config: Config;
  say(line: string): void;
  /** Starts a server if none runs, even in a new folder. Default: only with an existing database. */
  create?: boolean;
};

export type ServerCommand = OpenedCommand & {
  access: ServerAccess;
  /** The parts of a worker of this config, if `check` has collected them. */
  parts?: Parts | undefined;
};

export type FrameOptions = {
  create?: boolean;
  /** Default `results`. */
  config?: ConfigNeed;
  /** Throws before anything is started, if the work would certainly fail. */
  check?(config: Config): Promise<Parts | undefined> | undefined;
};

/** Runs `work` against the server, then closes the connection. Sets the exit code that it returns, by default 0. */
export async function withServer(
  command: OwnCommand,
  work: (frame: ServerCommand) => Promise<ExitCode | void>,
  { create = false, config: need = 'results', check }: FrameOptions = {},
): Promise<void> {
  const { cli, output, config } = await openCommand(command, need);
  const parts = await check?.(config);
  const access = await openServer({ config, say: output.say, create });
  // a worker of this command names the address in its reports
  const reached = { ...config, uiUrl: access.devServer?.uiUrl ?? config.uiUrl };
  try {
    cli.exitCode = (await work({ cli, output, config: reached, access, parts })) ?? cli.exitCode;
  } catch (error) {
    const { devServer } = access;
    // a failed command has no use for the server that was started for it
    if (devServer?.started)
      output.say(
        `The Temporal server at ${devServer.address} keeps running; "${typed('dev --stop')}" ends it.`,
      );
    throw error;
  } finally {
    await access.close();
  }
}

/** Limit of a query while a person waits. */
const personWaitsMs = 5_000;

export type ServerAccess = Awaited<ReturnType<typeof openServer>>;

/** A reached server, and the client for it. */
export async function openServer(options: AccessOptions) {
  const { config } = options;
  const encryption = await readKeys(config);
  const devServer = config.temporal.address === undefined ? await ownServer(options) : undefined;
  const address = devServer?.address ?? config.temporal.address ?? '';
  const settings = devServer ? { address, namespace: devServer.namespace } : { ...config.temporal, address };
  const connection = await connectClient(settings);
  const { namespace } = settings;
  let live: LiveBus | undefined;
  const client = createClient({
    connection,
    namespace,
    taskQueue: config.taskQueue,
    artifacts: openArtifactAccess(config),
    encryption,
    live: { subscribe: (sessionId) => live?.subscribe(sessionId) },
    answerTimeoutMs: personWaitsMs,
  });
  const uiUrl = devServer?.uiUrl ?? config.uiUrl;
  const httpUrl = devServer?.httpUrl;
  return {
    client,
    connection,
    settings,
    devServer,
    /** Shows the live output of a worker in this process, instead of its heartbeats. */
    showLive: (bus: LiveBus) => void (live = bus),
    /** The address of a session in the Temporal UI, if the UI's is known. */
    uiAddressOf: (sessionId: string) => uiUrl && uiAddress(uiUrl, namespace, sessionId),
    /**
     * The address of a session in Temporal's HTTP API, for this folder's own server; undefined for a subagent: the API finds no
     * id with a slash, in any encoding.
     */
    httpAddressOf: (sessionId: string) =>
      httpUrl === undefined || sessionId.includes('/')
        ? undefined
        : httpAddress(httpUrl, namespace, sessionId),
    close: async () => {
      await client.settled();
      await connection.close();
    },
  };
}

async function ownServer({ config, say, create = false }: AccessOptions): Promise<DevServer> {
  const running = await findDevServer(config.dir);
  if (running) {
    sayOlder(running, say);
    return running;
  }
  if (!create && !existsSync(databaseOf(config.dir))) {
    throw new UserError(
      `No Temporal server: none was started in ${config.dir}, and TEMPORAL_ADDRESS is not set. ` +
        `"${typed('run')}" or "${typed('dev')}" starts one here.`,
      exitCodes.noServer,
    );
  }
  return startOwnServer(config, say);
}

/** A server that an older Holdfast started runs until it is stopped. */
function sayOlder({ serverVersion }: DevServer, say: (line: string) => void): void {
  const older = serverVersion && describeOlder(serverVersion);
  if (older)
    say(
      `temporal: the server of this folder is ${serverVersion}, ${older}; "${typed('dev --stop')}" ends it, and the next command starts one again`,
    );
}

/** Starts this folder's server; it keeps running when this process ends. */
export async function startOwnServer(
  config: Config,
  say: (line: string) => void,
  ports: Partial<Pick<DevServerOptions, 'port' | 'uiPort' | 'httpPort'>> = {},
): Promise<DevServer> {
  const { dir, environment, cacheDir } = config;
  // before a binary is built for minutes
  await prepareFolder(dir);
  const binary = await getTemporalBinary({ environment, cacheDir, say });
  return leave(await useDevServer({ dir, binary: binary.path, environment, ...ports }), say);
}

/** Restarts this folder's dead server, or its `broken` one; undefined if it was stopped on purpose. */
export async function restartOwnServer(
  { dir, cacheDir, environment }: Config,
  say: (line: string) => void,
  { how, address, broken }: { how: string; address: string; broken?: string | undefined },
): Promise<DevServer | undefined> {
  say(`\ntemporal: the server ${address} ${how}; starting it again on its file.`);
  const binary = await getTemporalBinary({ environment, cacheDir, say: () => {} });
  const server = await restartDevServer({ dir, binary: binary.path, environment }, broken);
  return server && leave(server, say);
}

function leave(server: DevServer, say: (line: string) => void): DevServer {
  const { address, pid, uiUrl, started } = server;
  server.leaveRunning();
  if (started)
    say(`temporal: server ${address} started (pid ${pid}), UI ${uiUrl}; "${typed('dev --stop')}" ends it`);
  return server;
}
