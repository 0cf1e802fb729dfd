// A commit in the repository of configurations lowers a limit of the API. The deploys name only "config sync", and a
// release of the mobile app at the same time looks guilty.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMetrics } from '../../../../packages/demo/src/checkout/services/metrics.ts';
import { respond } from '../../../../packages/demo/src/checkout/services/service.ts';
import { lacksPrograms } from '../../programs.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const wrongLimit: IncidentModule = { start, lacks: () => lacksPrograms('git') };

const author = {
  GIT_AUTHOR_NAME: 'Tove Lind',
  GIT_AUTHOR_EMAIL: 'tove@shop.example',
  GIT_COMMITTER_NAME: 'Tove Lind',
  GIT_COMMITTER_EMAIL: 'tove@shop.example',
  GIT_CONFIG_GLOBAL: '/dev/null',
};

async function start(system: System): Promise<StartedIncident> {
  const repository = join(system.folder, 'config');
  await mkdir(repository);
  const git = (...words: string[]) =>
    promisify(execFile)('git', ['-C', repository, ...words], { env: { ...process.env, ...author } });
  const commit = async (limit: number, theme: string, message: string): Promise<void> => {
    await system.write('config/limits.yaml', `orders:\n  requests_per_second: ${limit}\n`);
    await system.write('config/theme.yaml', `accent: ${theme}\n`);
    await git('add', '.');
    await git('commit', '-q', '-m', message);
  };
  await git('init', '-q');
  await commit(1_000, 'blue', 'First configuration');
  await commit(1_000, 'green', 'Theme of the winter');
  const log = system.log('api');
  const metrics = createMetrics();
  const count = metrics.counter('api_requests_total', 'Requests by status.');
  let limit = 1_000;
  let served = 0;
  let refused = 0;
  let inSecond = { second: 0, requests: 0 };
  const request = (): void => {
    const second = Math.floor(Date.now() / 1_000);
    inSecond = inSecond.second === second ? inSecond : { second, requests: 0 };
    inSecond.requests += 1;
    if (inSecond.requests <= limit) {
      served += 1;
      return count('{status="200"}') as void;
    }
    refused += 1;
    count('{status="429"}');
    if (refused <= 100) log('WARN', `refused path=/orders status=429 client=mobile/8.4 second=${second}`);
  };
  const url = await system.serve(
    { 'GET /metrics': (_, response) => respond(response, 200, metrics.render()) },
    log,
  );
  system.every(20, request);
  await until('requests', () => served > 20);
  await commit(10, 'green', 'Tidy up limits');
  // git notes whole seconds: what follows is then certainly later
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  limit = 10;
  await system.deploy('d-820', 'mobile', 'release 8.4: order history');
  await system.deploy('d-821', 'api', 'config sync');
  log('INFO', 'configuration loaded source=config');
  await until('refused requests', () => refused > 20);
  return {
    task: [
      'Orders from the mobile app are refused with 429 since its release. Is the app asking too often? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log). The git tools read the repository of the configuration.`,
      `API: ${url}/metrics`,
    ].join('\n'),
    toolsets: { git: { repository } },
  };
}
