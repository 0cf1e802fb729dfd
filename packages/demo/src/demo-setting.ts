// The surroundings of the demo: a folder, a Temporal server and a client of its own, and the incident.
import { join, relative } from 'node:path';
import { startIncident, type Incident } from './checkout/incident.ts';
import { loadConfig, resolveConfig } from '../../../src/config/config.ts';
import type { Environment } from '../../../src/config/environment.ts';
import { rememberPlace } from '../../../src/config/command-line.ts';
import { startDevServer } from '../../../src/dev-server/dev-server.ts';
import { type ServerCommand, openServer } from '../../../src/cli/server-access.ts';
import { getTemporalBinary } from '../../../src/dev-server/temporal-binary.ts';
import { type Closers, orAborted } from './closers.ts';
import { makeDemoFolder } from './demo-folders.ts';
import { type WaitPlace, sayWhile } from './say-while.ts';
import type { Cli, Output } from '../../../src/cli/cli.ts';

export type DemoSetting = {
  frame: ServerCommand;
  incident: Incident;
  /** The path that other commands receive. */
  configFile: string;
  dir: string;
};

/** Starts server and incident; the incident's deploys are not yet made. */
export async function openSetting(
  options: DemoOptions,
  closers: Closers,
  signal: AbortSignal,
): Promise<DemoSetting> {
  const { cli, output, seed, healthy = false, team = false, alert = false } = options;
  const environment = demoEnvironment(cli.environment);
  const base = resolveConfig({ cwd: cli.cwd, environment });
  // first: without a binary there is no demo, and nothing to end
  const getting = getTemporalBinary({ environment, cacheDir: base.cacheDir, say: output.say });
  const binary = await orAborted(getting, signal);
  const dir = await makeDemoFolder(base.dir, output.say);
  const starting = Promise.all([
    startDevServer({ dir, binary: binary.path, environment }).then((started) => {
      closers.add(() => started.stop());
      return started;
    }),
    startIncident({ dir: join(dir, 'incident'), seed, healthy, team, alert }).then((started) => {
      closers.add(() => started.stop());
      return started;
    }),
  ]);
  const [server, incident] = await sayWhile(
    'starting the Temporal server and the shop',
    starting,
    waitPlace(options),
  );
  signal.throwIfAborted();
  const loaded = await loadConfig({ cwd: dir, environment, configFile: incident.configFile });
  const { address, namespace, uiUrl } = server;
  const config = { ...loaded, dir, uiUrl, temporal: { address, namespace } };
  // for the demo alone: other commands do not know its folder
  const configFile = relative(cli.cwd, incident.configFile);
  rememberPlace({ TEMPORAL_ADDRESS: address }, configFile);
  const access = await openServer({ config, say: output.say });
  closers.add(() => access.close());
  return { frame: { cli, output, config, access }, incident, configFile, dir };
}

/** The demo has its own server, config and script; keys, base URLs and the model are the user's. */
function demoEnvironment(environment: Environment): Environment {
  const own = /^(TEMPORAL_|HOLDFAST_(CONFIG|SCRIPT|TASK_QUEUE)$)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)));
}

/** Says what the demo waits for. */
export function waitPlace({ cli, output }: Pick<DemoOptions, 'cli' | 'output'>): WaitPlace {
  return { output, write: (text) => cli.stdout.write(text) };
}

export type DemoOptions = {
  cli: Cli;
  output: Output;
  seed: number;
  yes?: boolean;
  healthy?: boolean;
  team?: boolean;
  crash?: boolean;
  /** The alert of a monitoring starts the session. */
  alert?: boolean;
  /** Waits for Enter at the end, on a terminal. */
  wait: boolean;
};
