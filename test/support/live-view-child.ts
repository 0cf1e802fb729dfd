// A process that draws the live view of a session that does nothing, until a line is typed: then it throws. With an argument
// nothing is typed there.
import { createOutput } from '../../src/cli/cli.ts';
import { openLiveView } from '../../src/cli/live/live-view.ts';
import { createClient } from '../../src/client.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { Connection } from '@temporalio/client';

const { stdin, stdout, stderr } = process;
const cli = {
  cwd: process.cwd(),
  environment: readEnvironment(),
  stdin,
  stdout,
  stderr,
  signals: process,
  exitCode: 0 as const,
};
const connection = Connection.lazy({ address: '127.0.0.1:1' });
const client = createClient({ connection, namespace: 'default', taskQueue: 'none' });
const view = openLiveView({
  cli,
  output: createOutput(cli, {}),
  session: client.session('thrown'),
  input: process.argv[2] === undefined,
});
view.write('a line of history\n');
void view.readLine?.('Now?', 'Throw?', new AbortController().signal).then(() => {
  throw new Error('thrown on purpose');
});
