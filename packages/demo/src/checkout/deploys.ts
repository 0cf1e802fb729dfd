// Deploys of the incident's services: a version of a service is its configuration file. Each deploy keeps its version,
// replaces the file, writes a line into the deploy log and makes the service reload the file. Node.
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

export type ServiceName = 'shop' | 'payments';
export type Deploy = {
  id: string;
  service: ServiceName;
  from?: string;
  by: string;
  change: string;
  config: object;
};

const deployLogPath = (systemDir: string): string => join(systemDir, 'deploys.log');
export const configPath = (systemDir: string, service: ServiceName): string =>
  join(systemDir, 'config', `${service}.yaml`);
const versionPath = (systemDir: string, service: ServiceName, id: string): string =>
  join(systemDir, 'config', 'versions', `${service}.${id}.yaml`);

/** Puts a version in place. The service reads it on `reload`, or when it starts. */
export async function writeDeploy(systemDir: string, deploy: Deploy): Promise<void> {
  const { id, service, from, by, change, config } = deploy;
  const text = stringify({ deploy: id, ...config });
  const version = versionPath(systemDir, service, id);
  await mkdir(dirname(version), { recursive: true });
  await writeFile(version, text);
  await replaceConfig(systemDir, service, text);
  await appendDeployLog(
    systemDir,
    `deploy id=${id} service=${service} from=${from ?? 'none'} by=${by} change="${change}"`,
  );
}

/**
 * Puts the version before `deploy` back in place and returns its id. Refuses, without a change, if `deploy` is not the
 * running version, or has none before it.
 */
export async function writeRollback(
  systemDir: string,
  service: ServiceName,
  deploy: string,
  by: string,
): Promise<string> {
  const running = await readRunning(systemDir, service);
  if (running !== deploy)
    throw new Error(`Deploy ${deploy} is not what ${service} runs: it runs ${running}. Nothing was changed.`);
  const previous = await readPrevious(systemDir, service, deploy);
  await replaceConfig(systemDir, service, await readFile(versionPath(systemDir, service, previous), 'utf8'));
  await appendDeployLog(systemDir, `rollback id=${deploy} service=${service} to=${previous} by=${by}`);
  return previous;
}

/** Makes a service reload its configuration; throws unless it confirms that. */
export async function reload(serviceUrl: string): Promise<void> {
  const response = await fetch(`${serviceUrl}/-/reload`, { method: 'POST' });
  if (!response.ok)
    throw new Error(`The reload was answered with ${response.status}: ${(await response.text()).trim()}`);
}

/** The id of the deploy whose configuration is in place. */
export async function readRunning(systemDir: string, service: ServiceName): Promise<string> {
  const config = await readFile(configPath(systemDir, service), 'utf8');
  return /^deploy: (\S+)$/m.exec(config)?.[1] ?? 'an unknown version';
}

async function readPrevious(systemDir: string, service: ServiceName, deploy: string): Promise<string> {
  const log = await readFile(deployLogPath(systemDir), 'utf8');
  const line = log.split('\n').find((one) => one.includes(` deploy id=${deploy} service=${service} `));
  const previous = /\bfrom=(d-\d+)/.exec(line ?? '')?.[1];
  if (previous === undefined)
    throw new Error(`There is no version of ${service} before ${deploy}. Nothing was changed.`);
  return previous;
}

/** By rename, so that a reader sees the old file or the new one. */
async function replaceConfig(systemDir: string, service: ServiceName, text: string): Promise<void> {
  const path = configPath(systemDir, service);
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

async function appendDeployLog(systemDir: string, text: string): Promise<void> {
  await appendFile(deployLogPath(systemDir), `${new Date().toISOString()} ${text}\n`);
}
