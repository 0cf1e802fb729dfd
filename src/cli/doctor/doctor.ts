// holdfast doctor: tells whether run would work, and shows the checks behind that answer, one after another. Only reads:
// starts no server, installs nothing.
import { messageOf } from '@holdfast/base/message-of';
import type { Connection } from '@temporalio/client';
import { type Config, loadConfig } from '../../config/config.ts';
import { allAttributeTypes } from '@holdfast/vocabulary/outer-names';
import { proxiesOf } from '../../config/proxy.ts';
import { describeEnvFile } from '../../config/variables.ts';
import { listAddress } from '../../config/ui-address.ts';
import { uiSetup } from '../../config/ui-setup.ts';
import { assertNamespace, connectClient } from '../../config/temporal-connection.ts';
import { type Cli, type GlobalOptions, createOutput } from '../cli.ts';
import type { CliCommand } from '../cli-command.ts';
import { typed, withTyped } from '../../config/command-line.ts';
import { lookAtHosts, startCommand } from '../commands/hosts.ts';
import { type Check, bad, checkConfig, good, note } from './config-checks.ts';
import { databaseOf, findDevServer } from '../../dev-server/dev-server.ts';
import { type ServerProcess, serversOn } from '../../dev-server/server-processes.ts';
import { findTemporalBinary } from '../../dev-server/temporal-binary.ts';
import { exitCodes } from '../../common/exit-codes.ts';
import { findSearchAttributes, registerSearchAttributes } from '../../worker/register-attributes.ts';

export function registerDoctor(program: CliCommand): void {
  program
    .command('doctor')
    .option('--fix', 'register missing search attributes, and print links that save views in the Temporal UI')
    .examples(['doctor', 'doctor --config ops.config.ts'])
    .action(async (_options: unknown, command: CliCommand) => {
      const { cli } = command;
      const options = command.optsWithGlobals<DoctorOptions>();
      const { colors, emit, print } = createOutput(cli, options);
      const marks = {
        good: colors.green('ok     '),
        note: colors.yellow('note   '),
        bad: colors.red('failed '),
      };
      for (const check of await runChecks(cli, options)) {
        emit(check);
        const advice = check.advice ? `\n${margin}${check.advice}` : '';
        print(`${marks[check.state]} ${check.name.padEnd(10)} ${check.finding}${advice}`);
        if (check.state === 'bad') cli.exitCode = exitCodes.usage;
      }
    });
}

/** The indent below a finding. */
const margin = ' '.repeat(19);

type DoctorOptions = GlobalOptions & { fix?: boolean };

/** First whether `holdfast run` would work, then the single checks. */
async function runChecks(cli: Cli, { config: configFile, fix = false }: DoctorOptions): Promise<Check[]> {
  const checks = [good('node', `${process.versions.node} (${process.execPath})`)];
  let config: Config;
  try {
    config = await loadConfig({ cwd: cli.cwd, environment: cli.environment, configFile });
  } catch (error) {
    const wrong = bad('config', withTyped(messageOf(error)), 'Correct it and run doctor again.');
    return [refusal(wrong), ...checks, wrong];
  }
  checks.push(good('config', config.configFile ?? `no holdfast.config file in ${cli.cwd}: defaults`));
  for (const unread of describeEnvFile(cli.cwd, cli.environment)) checks.push(note('environment', unread));
  const { https_proxy: proxy, no_proxy: names } = proxiesOf(cli.environment) ?? {};
  if (proxy !== undefined)
    checks.push(
      good(
        'proxy',
        `${new URL(proxy).host}, but for these names: ${names}; a range such as 10.0.0.0/8 is none`,
      ),
    );
  for await (const check of lookAt(cli, config, fix)) checks.push(check);
  const verdict = checks.filter(({ name }) => name === 'run');
  const others = checks.filter(({ name }) => name !== 'run');
  const wrong = [...others, ...verdict].find(({ state, runsWithout }) => state === 'bad' && !runsWithout);
  const first = wrong ? [refusal(wrong)] : verdict;
  return [...first, ...others];
}

function refusal({ finding }: Check): Check {
  return { name: 'run', state: 'bad', finding: `"${typed('run')}" would refuse: ${finding}` };
}

async function* lookAt(cli: Cli, config: Config, fix: boolean): AsyncGenerator<Check> {
  yield* checkConfig(config);
  yield* config.temporal.address === undefined
    ? checkOwnServer(cli, config, fix)
    : checkServer(config, { address: config.temporal.address, uiUrl: config.uiUrl }, fix);
}

async function* checkOwnServer(cli: Cli, config: Config, fix: boolean): AsyncGenerator<Check> {
  const found = await findTemporalBinary({
    environment: cli.environment,
    cacheDir: config.cacheDir,
    say: () => {},
  });
  yield found
    ? good('binary', `${found.path} (server ${found.serverVersion})`)
    : note(
        'binary',
        `no temporal on PATH or in ${config.cacheDir}`,
        `The first "${typed('run')}" gets it: Temporal's download, else "go install" (needs Go 1.25).`,
      );
  const server = await findDevServer(config.dir);
  const others = (await serversOn(databaseOf(config.dir))).filter(({ pid }) => pid !== server?.pid);
  for (const other of others) yield unknownServer(other, server?.pid);
  if (server) yield* checkServer(config, server, fix);
  else if (others.length === 0)
    yield good('server', `none runs for ${config.dir}; "${typed('run')}" starts one`);
}

/** The command of this server was killed while it started. */
function unknownServer({ pid, port }: ServerProcess, noted: number | undefined): Check {
  const where = `pid ${pid} on port ${port ?? 'unknown'}`;
  const end = `"${typed('dev --stop')}" ends`;
  return noted === undefined
    ? note(
        'server',
        `${where} has this folder's database, and no note names it`,
        `${end} it, and "${typed('run')}" uses it.`,
      )
    : bad('server', `${where} has the same database as pid ${noted}, which breaks it`, `${end} both.`);
}

async function* checkServer(
  config: Config,
  { address, uiUrl }: { address: string; uiUrl?: string | undefined },
  fix: boolean,
): AsyncGenerator<Check> {
  const { namespace } = config.temporal;
  try {
    const connection = await connectClient({ ...config.temporal, address });
    try {
      await assertNamespace(connection, { address, namespace });
      yield good('server', `${address}, namespace ${namespace}`);
      yield await checkAttributes(connection, namespace, fix);
      if (fix && uiUrl !== undefined) yield howToSetUpUi(uiUrl, namespace);
      yield* checkHosts(config, connection, namespace);
    } finally {
      await connection.close();
    }
  } catch (error) {
    const advice = 'Start it, or correct TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the TLS settings.';
    yield bad('server', messageOf(error), advice);
  }
}

/** Each host of the config needs a worker; a run reports that too, and works without it. */
async function* checkHosts(config: Config, connection: Connection, namespace: string): AsyncGenerator<Check> {
  for (const { name, workers } of await lookAtHosts(config, { connection, settings: { namespace } })) {
    yield workers.length > 0
      ? good('host', `${name}: served by ${workers.join(', ')}`)
      : note('host', `${name}: no worker serves it`, `There: ${startCommand(config, name)}`);
  }
}

async function checkAttributes(connection: Connection, namespace: string, fix: boolean): Promise<Check> {
  const { missing, reason } = await (fix ? registerSearchAttributes : findSearchAttributes)(
    connection,
    namespace,
  );
  if (missing.length === 0) return good('attributes', Object.keys(allAttributeTypes).join(', '));
  const create = `temporal operator search-attribute create --namespace ${namespace}`;
  // one each: a command for several makes none if one has no room
  const commands = missing.map((name) => `${create} --name ${name} --type ${allAttributeTypes[name]}`);
  return note(
    'attributes',
    `not registered: ${missing.join(', ')}; the UI cannot filter by them${reason === undefined ? '' : ` (${reason})`}`,
    `${fix ? '' : `"${typed('doctor --fix')}" registers them, or: `}${commands.join('; ')}`,
  );
}

function howToSetUpUi(uiUrl: string, namespace: string): Check {
  const place = `open ${listAddress(uiUrl, namespace)}, press F12, and paste this line into the console of the browser:`;
  return good('views', `views and columns of the Temporal UI: ${place}`, uiSetup(namespace));
}
