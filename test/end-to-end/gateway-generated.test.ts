// Clients that generators make from the description, as programs in TypeScript and Python have them: made, compiled or imported, and
// run against a gateway, a Temporal server and a worker with a model that plays a script.
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { askHumanTool } from '../../src/activities/assembly/built-in-tools.ts';
import { textOf } from '@holdfast/vocabulary/messages';
import { functionModel } from '../support/function-model.ts';
import { startTestGateway, tokens, withTokens } from '../support/gateway.ts';
import { generatePythonClient, pythonGeneratorMissing } from '../support/python-generator.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const description = join(root, 'catalog/schemas/openapi.json');
// it needs a TypeScript with a programming interface
const { resolve: find } = createRequire(join(root, 'tools/reference/package.json'));

function packageOf(name: string): string | undefined {
  try {
    return dirname(find(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

const generator = packageOf('openapi-typescript');
const fetcher = packageOf('openapi-fetch');
const lack = generator && fetcher ? undefined : 'openapi-typescript and openapi-fetch are not installed';

/** Every field and answer in it is checked by the compiler against the description. */
const typescript = `
import createClient from 'openapi-fetch';
import type { components, paths } from './holdfast.js';

const [baseUrl, starter, answerer] = process.argv.slice(2);
const client = (token) => createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const [api, people] = [client(starter), client(answerer)];
type Waiting = components['schemas']['WaitingItem'];
type Event = components['schemas']['AgentEvent'];

const wrong = await api.POST('/v1/sessions', {
  // @ts-expect-error a prompt is no number
  body: { prompt: 7 },
});
const { data: started, response } = await api.POST('/v1/sessions', {
  params: { header: { 'Idempotency-Key': 'generated-ts' } },
  body: { agent: 'tester', prompt: 'Repair it.', policy: [{ tool: 'change', decision: 'ask' }], deadlineAt: '2100-01-01T00:00:00Z' },
});
if (!started) throw new Error(\`no session: \${response.status}\`);
const params = { path: { id: started.sessionId } };

async function waiting<Kind extends Waiting['kind']>(kind: Kind): Promise<Extract<Waiting, { kind: Kind }>> {
  for (;;) {
    const { data } = await api.GET('/v1/sessions/{id}', { params });
    for (const item of data?.questions ?? []) if (item.kind === kind) return item as Extract<Waiting, { kind: Kind }>;
    await new Promise((done) => setTimeout(done, 50));
  }
}

const { question, argsDigest, tool, deadline } = await waiting('approval');
const { data: view } = await api.GET('/v1/sessions/{id}', { params: { ...params, query: { view: 'full' } } });
await api.POST('/v1/sessions/{id}/steer', { params, body: { message: 'Mind the pool.' } });
const refused = await api.POST('/v1/sessions/{id}/approve', { params, body: { question, argsDigest } });
const { data: approved } = await people.POST('/v1/sessions/{id}/approve', { params, body: { question, argsDigest } });
const asked = await waiting('question');
const { data: answered } = await people.POST('/v1/sessions/{id}/answer', { params, body: { question: asked.question, answer: 'The second.' } });
const stream = await api.GET('/v1/sessions/{id}/events', { params, parseAs: 'text' });
const events = String(stream.data).split('\\n').filter((line) => line.includes('"type":"')).map((line): Event => JSON.parse(line.slice('data: '.length)));
const { data: result } = await api.GET('/v1/sessions/{id}/result', { params });
async function ended(): Promise<components['schemas']['SessionEntry']> {
  for (;;) {
    const { data } = await api.GET('/v1/sessions', { params: { query: { limit: 200, state: 'ended' } } });
    const found = data?.sessions.find(({ sessionId }) => sessionId === started?.sessionId);
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
}
const { state, outcome } = await ended();
console.log(JSON.stringify({
  wrong: wrong.error?.code,
  tool,
  waits: Date.parse(deadline) > Date.now(),
  state: [view?.state, view?.waitingFor, view?.snapshot?.phase],
  refused: refused.error?.code,
  approved: approved?.approved,
  text: asked.text,
  answered: answered?.question === asked.question,
  resolved: events.flatMap((event) => (event.type === 'approval_resolved' ? [event.actor, event.question === question] : [])),
  answer: result && 'answer' in result ? result.answer : undefined,
  listed: [state, outcome],
}));
`;

/** Prints the same facts. */
const python = `
import json, sys, time
from datetime import datetime, timezone

from holdfast_client import AuthenticatedClient
from holdfast_client import models
from holdfast_client.api.questions import answer_question, approve_call
from holdfast_client.api.sessions import get_result, get_session, list_sessions, start_session, steer_session, stream_events

url, starter, answerer = sys.argv[1:]
api, people = (AuthenticatedClient(base_url=url, token=token) for token in (starter, answerer))

wrong = start_session.sync(client=api, body=models.SessionInput(prompt=7))
started = start_session.sync(
    client=api,
    idempotency_key="generated-py",
    body=models.SessionInput(
        agent="tester",
        prompt="Repair it.",
        policy=[models.SessionInputPolicyItem(tool="change", decision=models.SessionInputPolicyItemDecision.ASK)],
        deadline_at=datetime(2100, 1, 1, tzinfo=timezone.utc),
    ),
)
session = started.session_id


def waiting(kind):
    while True:
        for item in get_session.sync(session, client=api).questions:
            if isinstance(item, kind):
                return item
        time.sleep(0.05)


item = waiting(models.ApprovalItem)
view = get_session.sync(session, client=api, view=models.GetSessionView.FULL)
steer_session.sync(session, client=api, body=models.Steer(message="Mind the pool."))
body = models.Approve(question=item.question, args_digest=item.args_digest)
refused = approve_call.sync(session, client=api, body=body)
approved = approve_call.sync(session, client=people, body=body)
asked = waiting(models.QuestionItem)
answered = answer_question.sync(session, client=people, body=models.Answer(question=asked.question, answer="The second."))
stream = stream_events.sync(session, client=api)
resolved = [
    models.ApprovalResolvedEvent.from_dict(json.loads(line[6:]))
    for line in stream.splitlines()
    if line.startswith("data: ") and '"type":"approval_resolved"' in line
]
result = get_result.sync(session, client=api)
ended = []
while not ended:
    listed = list_sessions.sync(client=api, limit=200, state=models.ListSessionsState.ENDED)
    ended = [entry for entry in listed.sessions if entry.session_id == session]
print(json.dumps({
    "wrong": wrong.code,
    "tool": item.tool,
    "waits": item.deadline > datetime.now(timezone.utc),
    "state": [view.state, view.waiting_for, view.snapshot.phase],
    "refused": refused.code,
    "approved": approved.approved,
    "text": asked.text,
    "answered": answered.question == asked.question,
    "resolved": [fact for event in resolved for fact in (event.actor, event.question == item.question)],
    "answer": result.answer,
    "listed": [ended[0].state, ended[0].outcome],
}))
`;

const facts = {
  wrong: 'InvalidInput',
  tool: 'change',
  waits: true,
  state: ['waiting', 'approval', 'executing'],
  refused: 'RightMissing',
  approved: true,
  text: 'Which pool?',
  answered: true,
  resolved: ['mara', true],
  answer: 'I heard of the pool, and: The second.',
  listed: ['ended', 'completed'],
};

/** Changes something, asks a person, and ends with what it was told. */
async function serve(): Promise<string[]> {
  const bench = await createSessionBench({
    tools: [fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' }), askHumanTool],
    model: functionModel(({ number, request }) => {
      if (number === 1) return { calls: [{ tool: 'change' }] };
      if (number === 2) return { calls: [{ tool: 'ask_human', args: { question: 'Which pool?' } }] };
      const words = request.messages.map(textOf).join('\n');
      const heard = words.includes('Mind the pool.') ? 'I heard of the pool, and: ' : '';
      return { text: `${heard}${words.includes('The second.') ? 'The second.' : ''}` };
    }),
  });
  const { url } = await startTestGateway({ gateway: withTokens, client: bench.holdfast });
  return [url, tokens.starter, tokens.mara];
}

const options = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noImplicitAny: false,
  noEmit: true,
  types: ['node'],
  skipLibCheck: true,
};

async function write(folder: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await symlink(fetcher ?? '', join(folder, 'node_modules/openapi-fetch'));
  await symlink(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
  );
  await writeFile(join(folder, 'program.ts'), typescript);
  const { bin } = await import(join(generator ?? '', 'package.json'), { with: { type: 'json' } }).then(
    ({ default: read }: { default: { bin: Record<string, string> } }) => read,
  );
  const cli = join(generator ?? '', bin['openapi-typescript'] ?? '');
  await run(process.execPath, [cli, description, '--output', join(folder, 'holdfast.ts')]);
}

describe.skipIf(lack)(`in TypeScript${lack === undefined ? '' : ` (skipped: ${lack})`}`, () => {
  test(
    '[HTTP-07c] a generated client compiles, and starts, steers, approves, answers, follows and reads a session',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      await write(folder);
      const compiler = join(root, 'node_modules/.bin/tsc');
      const compiled = await run(compiler, ['--project', folder]).catch(({ stdout }: { stdout: string }) => ({
        stdout,
      }));
      expect(compiled.stdout).toBe('');
      const { stdout } = await run(process.execPath, [join(folder, 'program.ts'), ...(await serve())]);
      expect(JSON.parse(stdout)).toEqual(facts);
    },
  );
});

const noPython = pythonGeneratorMissing;
describe.skipIf(noPython)(`in Python${noPython === undefined ? '' : ` (${noPython})`}`, () => {
  test(
    '[HTTP-07c] a generated client is made without a warning, and does the same',
    { timeout: 300_000 },
    async () => {
      const folder = await temporaryFolder();
      const { said, environment } = await generatePythonClient(description, folder);
      expect(said.trim().split('\n')).toHaveLength(1);
      await writeFile(join(folder, 'program.py'), python);
      const { stdout } = await run('python3', [join(folder, 'program.py'), ...(await serve())], {
        env: environment,
      });
      expect(JSON.parse(stdout)).toEqual(facts);
    },
  );
});
