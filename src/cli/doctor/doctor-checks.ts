// The checks of `holdfast doctor`, one after another. Reads only: no server is started, nothing is installed.
import { type Config, loadConfig } from '../../config/config.ts';
import { searchAttributeTypes } from '../../core/model/outer-names.ts';
import { connectClient } from '../../config/temporal-connection.ts';
import type { Cli } from '../cli.ts';
import { typed } from '../command-line.ts';
import { type Check, bad, good } from './doctor-check.ts';
import { checkConfig } from './doctor-config-checks.ts';
import { findDevServer } from '../../dev-server/dev-server.ts';
import { findTemporalBinary } from '../../dev-server/temporal-binary.ts';
import { messageOf } from '../user-error.ts';

/** First of all whether `holdfast run` would work, then what that rests on. */
export async function runChecks(cli: Cli, configFile: string | undefined): Promise<Check[]> {
  const checks = [good('node', `${process.versions.node} (${process.execPath})`)];
  let config: Config;
  try {
    config = await loadConfig({ cwd: cli.cwd, environment: cli.environment, configFile });
  } catch (error) {
    const wrong = bad('config', messageOf(error), 'Correct it and run doctor again.');
    return [refusal(wrong), ...checks, wrong];
  }
  checks.push(good('config', config.configFile ?? `no holdfast.config file in ${cli.cwd}: defaults`));
  for await (const check of lookAt(cli, config)) checks.push(check);
  const verdict = checks.filter(({ name }) => name === 'run');
  const others = checks.filter(({ name }) => name !== 'run');
  const wrong = [...others, ...verdict].find(({ state, runsWithout }) => state === 'bad' && !runsWithout);
  return [...(wrong ? [refusal(wrong)] : verdict), ...others];
}

function refusal({ finding }: Check): Check {
  return { name: 'run', state: 'bad', finding: `"${typed('run')}" would refuse: ${finding}` };
}

async function* lookAt(cli: Cli, config: Config): AsyncGenerator<Check> {
  yield* checkConfig(config);
  yield* config.temporal.address === undefined
    ? checkOwnServer(cli, config)
    : checkServer(config, config.temporal.address);
}

async function* checkOwnServer(cli: Cli, config: Config): AsyncGenerator<Check> {
  const found = await findTemporalBinary({
    environment: cli.environment,
    cacheDir: config.cacheDir,
    say: () => {},
  });
  yield found
    ? good('binary', `${found.path} (server ${found.serverVersion})`)
    : {
        name: 'binary',
        state: 'note',
        finding: `no temporal on PATH or in ${config.cacheDir}`,
        advice: `The first "${typed('run')}" gets it: Temporal's download, else "go install" (needs Go 1.25).`,
      };
  const server = await findDevServer(config.dir);
  if (server) yield* checkServer(config, server.address);
  else yield good('server', `none runs for ${config.dir}; "${typed('run')}" starts one`);
}

async function* checkServer(config: Config, address: string): AsyncGenerator<Check> {
  const { namespace } = config.temporal;
  try {
    const connection = await connectClient({ ...config.temporal, address });
    try {
      await connection.withDeadline(Date.now() + 5_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
      yield good('server', `${address}, namespace ${namespace}`);
      const answer = await connection.operatorService.listSearchAttributes({ namespace });
      yield checkAttributes(Object.keys(answer.customAttributes ?? {}), namespace);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const advice = 'Start it, or correct TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TLS settings.';
    yield { name: 'server', state: 'bad', finding: `${address}: ${messageOf(error)}`, advice };
  }
}

function checkAttributes(registered: string[], namespace: string): Check {
  const missing = Object.entries(searchAttributeTypes).filter(([name]) => !registered.includes(name));
  if (missing.length === 0) return good('attributes', Object.keys(searchAttributeTypes).join(', '));
  const command = missing.map(([name, type]) => `--name ${name} --type ${type}`).join(' ');
  return {
    name: 'attributes',
    state: 'note',
    finding: `not registered: ${missing.map(([name]) => name).join(', ')}; the UI cannot filter by them`,
    advice: `temporal operator search-attribute create --namespace ${namespace} ${command}`,
  };
}
