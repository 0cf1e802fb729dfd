// Executes changes of the system for the tool run_action, once for each key, and keeps a ledger of them. Runs in the
// process of the incidents, so that the ledger outlives a killed worker.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { listeningPort } from '@holdfast/base/listening-port';
import { messageOf } from '@holdfast/base/message-of';
import type { StartedIncident } from './system.ts';

export type ActionServer = {
  url: string;
  /** Directs calls to this incident from now on, with a new ledger. */
  open(incident: StartedIncident): void;
  /** Keys of the executed calls, in order; a repeated key was executed twice. */
  ledger(): string[];
  close(): Promise<void>;
};

type Asked = { key?: string; action?: string; target?: string };
type Answer = [status: number, words: string];

/** Time between the effect and its answer: long enough for a kill. */
const settleMs = 400;

export async function startActionServer(): Promise<ActionServer> {
  let incident: StartedIncident | undefined;
  let ledger: { key: string; answer: string }[] = [];
  const run = async ({ key = '', action = '', target = '' }: Asked): Promise<Answer> => {
    const execute = incident?.actions?.[action];
    if (execute === undefined) {
      const known = Object.keys(incident?.actions ?? {}).join(', ') || 'none';
      return [400, `There is no action "${action}" here. Nothing was changed. Known: ${known}.`];
    }
    try {
      const answer = await execute(target);
      ledger.push({ key, answer });
      await sleep(settleMs);
      return [200, answer];
    } catch (error) {
      return [400, messageOf(error)];
    }
  };
  const find = ({ key }: Asked): Answer => {
    const found = ledger.find((entry) => entry.key === key);
    return found ? [200, found.answer] : [404, ''];
  };
  const server = createServer((request, response) => {
    const answered = text(request).then((body) => {
      const asked = JSON.parse(body) as Asked;
      return request.url === '/executed' ? find(asked) : run(asked);
    });
    answered.then(
      ([status, words]) => response.writeHead(status).end(words),
      (error: unknown) => response.writeHead(400).end(messageOf(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${listeningPort(server)}`,
    open: (next) => {
      incident = next;
      ledger = [];
    },
    ledger: () => ledger.map(({ key }) => key),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
