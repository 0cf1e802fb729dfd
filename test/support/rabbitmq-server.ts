// A real RabbitMQ with its management plugin on loopback for tests, from Debian's package, with a folder, a cookie and an epmd
// of its own, so that nothing is left behind. Both are stopped by process id.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import type { Json } from '@holdfast/base/json';
import { missingPrograms, programPath, type RealServer, started } from './real-servers.ts';
import { temporaryFolder } from './tool-calls.ts';
import { until } from './until.ts';

// the wrapper on PATH would change to a user of its own, with other folders
const lib = '/usr/lib/rabbitmq/lib';
const home = existsSync(lib)
  ? readdirSync(lib).find((name) => name.startsWith('rabbitmq_server-'))
  : undefined;

/** For the name of a test that cannot run; undefined where it can. */
export const rabbitmqMissing = home === undefined ? 'rabbitmq-server not installed' : missingPrograms('epmd');

export type RealRabbitmq = RealServer & {
  url: string;
  /** The management API as an administrator. */
  api(method: string, path: string, body?: Json): Promise<Response>;
};

/** With a user `holdfast` of the tag `monitoring`. `more`: lines of its configuration. */
export async function startRabbitmq(password: string, more = ''): Promise<RealRabbitmq> {
  const folder = await temporaryFolder();
  const [amqp, port, epmd, distribution] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  await writeFile(join(folder, 'plugins'), '[rabbitmq_management].\n');
  await writeFile(
    join(folder, 'rabbitmq.conf'),
    `listeners.tcp.1 = 127.0.0.1:${amqp}
management.tcp.ip = 127.0.0.1
management.tcp.port = ${port}
collect_statistics_interval = 200
${more}
`,
  );
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'home/.erlang.cookie'), 'COOKIE');
  await chmod(join(folder, 'home/.erlang.cookie'), 0o400);
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, 'home'),
    ERL_EPMD_PORT: `${epmd}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: `holdfast-${port}@localhost`,
    RABBITMQ_DIST_PORT: `${distribution}`,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
  };
  const options = { env: environment, cwd: folder, stdio: 'ignore' as const };
  started(spawn(programPath('epmd') ?? '', [], options));
  const stop = started(spawn(join(lib, home ?? '', 'sbin/rabbitmq-server'), [], options));
  const url = `http://127.0.0.1:${port}`;
  const api = (method: string, path: string, body?: Json): Promise<Response> =>
    fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Basic ${btoa('guest:guest')}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  await until(
    'RabbitMQ answers',
    () =>
      api('GET', '/overview').then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  );
  await api('PUT', '/users/holdfast', { password, tags: 'monitoring' });
  await api('PUT', '/permissions/%2F/holdfast', { configure: '', write: '', read: '' });
  return { port, folder, stop, url, api };
}
