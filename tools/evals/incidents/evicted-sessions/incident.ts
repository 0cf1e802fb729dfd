// A batch fills the Redis that holds the sessions of users, which evicts them. A release of the login at the same time
// looks guilty in the log; only Redis' own figures tell.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '@holdfast/processes/free-port';
import { lacksPrograms } from '../../programs.ts';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const evictedSessions: IncidentModule = {
  start,
  lacks: () => lacksPrograms('redis-server', 'redis-cli'),
};

async function start(system: System): Promise<StartedIncident> {
  const port = String(await freePort());
  const flags = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--maxmemory', '4mb'];
  system.run('redis', 'redis-server', [...flags, '--maxmemory-policy', 'allkeys-lru']);
  const redis = async (...words: string[]): Promise<string> =>
    (await promisify(execFile)('redis-cli', ['-p', port, ...words])).stdout.trim();
  await until('Redis', () =>
    redis('PING').then(
      (pong) => pong === 'PONG',
      () => false,
    ),
  );
  await redis('EVAL', "for i=1,200 do redis.call('set', 'session:'..i, 'user '..i, 'EX', 86400) end", '0');
  const login = system.log('login');
  login('INFO', 'started release=4.1.0');
  await system.deploy('d-901', 'login', 'release 4.2.0: new cookie format');
  login('INFO', 'started release=4.2.0');
  const batch = system.log('recommendations');
  batch('INFO', 'full computation started keys=2000 value_bytes=8000 store=redis');
  await redis('EVAL', "for i=1,2000 do redis.call('set', 'reco:'..i, string.rep('x', 8000)) end", '0');
  let lost = 0;
  let user = 0;
  system.every(30, async () => {
    const id = (user = (user % 200) + 1);
    if ((await redis('EXISTS', `session:${id}`)) !== '0') return;
    lost += 1;
    if (lost <= 100)
      login('WARN', `session not found user=${id} cookie=valid release=4.2.0, asked to log in`);
  });
  await until('lost sessions', () => lost > 5);
  return {
    task: [
      'Users are logged out in the middle of their work since a few minutes. The login was released just then. Is it that',
      'release, and what else? Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log). The sessions are in Redis, which the redis tools ask.`,
    ].join('\n'),
    toolsets: { redis: { port } },
  };
}
