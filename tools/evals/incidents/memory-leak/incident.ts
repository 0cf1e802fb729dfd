// A process whose memory really grows until V8 ends it: its cache of sessions never forgets. A supervisor starts it again, and
// it grows again. A campaign with more visitors and a release of another service are decoys.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type IncidentModule, type StartedIncident, type System, until } from '../../system.ts';

export const memoryLeak: IncidentModule = { start };

async function start(system: System): Promise<StartedIncident> {
  const port = system.port();
  const log = join(system.folder, 'logs/sessions.log');
  const service = join(import.meta.dirname, 'sessions-process.ts');
  const supervisor = system.log('supervisor');
  // no core file, because the process is meant to end like this
  const limited = 'ulimit -c 0; exec "$0" --max-old-space-size=32 "$@"';
  const args = ['-c', limited, process.execPath, service, String(port), log];
  let ended = false;
  system.atEnd(async () => void (ended = true));
  let ends = 0;
  const supervise = async (): Promise<void> => {
    while (!ended) {
      const [code, signal] = await once(system.run('sessions-output', '/bin/sh', args), 'exit');
      if (ended) return;
      ends += 1;
      supervisor('ERROR', `sessions ended code=${code} signal=${signal} restarts=${ends}`);
    }
  };
  void supervise();
  await system.deploy('d-760', 'sessions', 'release 9.0.0: sessions cached by request id');
  await until('sessions', async () => (await readFile(log, 'utf8').catch(() => '')).includes('entries='));
  await system.deploy('d-761', 'mailer', 'release 2.0.4');
  system.log('marketing')('INFO', 'campaign autumn started, expected visitors +5 %');
  await until('an end without memory', () => ends > 0);
  const url = `http://127.0.0.1:${port}`;
  await until('the next one', () =>
    fetch(`${url}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    task: [
      'People are logged out every few minutes: sessions keeps restarting. Marketing has a campaign, is it the load? Find the',
      'cause. Change nothing.',
      `Folder: ${system.folder} (logs/, deploys.log)`,
      `Sessions: ${url}/metrics, and ${url}/watch looks at it for a second (no answer: it is restarting, try again)`,
    ].join('\n'),
  };
}
