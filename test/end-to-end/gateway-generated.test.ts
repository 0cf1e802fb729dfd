// A client that a generator makes from the description, as a program in TypeScript has one: compiled, then run against a gateway.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { callsFirst } from '../support/function-model.ts';
import { startTestGateway, tokens, withTokens } from '../support/gateway.ts';
import { createSessionBench } from '../support/session-bench.ts';
import { fakeTool, temporaryFolder } from '../support/tool-calls.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
// it needs a TypeScript with a programming interface
const { resolve: find } = createRequire(join(root, 'scripts/reference/package.json'));

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
const program = `
import createClient from 'openapi-fetch';
import type { components, paths } from './holdfast.js';

const [baseUrl, starter, answerer] = process.argv.slice(2);
const client = (token) => createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const [api, people] = [client(starter), client(answerer)];
type Approval = components['schemas']['PendingApproval'];

const wrong = await api.POST('/v1/sessions', {
  // @ts-expect-error a prompt is no number
  body: { prompt: 7 },
});
const { data: started, response } = await api.POST('/v1/sessions', {
  params: { header: { 'Idempotency-Key': 'generated-1' } },
  body: { agent: 'tester', prompt: 'Repair it.', policy: [{ tool: 'change', decision: 'ask' }] },
});
if (!started) throw new Error(\`no session: \${response.status}\`);
const params = { path: { id: started.sessionId } };

async function approval(): Promise<Approval> {
  for (;;) {
    const { data } = await api.GET('/v1/sessions/{id}', { params });
    const [waiting] = data?.snapshot?.approvals ?? [];
    if (waiting) return waiting;
    await new Promise((done) => setTimeout(done, 50));
  }
}

const { id: callId, argsDigest, tool } = await approval();
const refused = await api.POST('/v1/sessions/{id}/approve', { params, body: { callId, argsDigest } });
const { data: answered } = await people.POST('/v1/sessions/{id}/approve', { params, body: { callId, argsDigest } });
const stream = await api.GET('/v1/sessions/{id}/events', { params, parseAs: 'text' });
const { data: result } = await api.GET('/v1/sessions/{id}/result', { params });
const { data: listed } = await api.GET('/v1/sessions', { params: { query: { limit: 200 } } });
console.log(JSON.stringify({
  wrong: wrong.error?.code,
  tool,
  refused: refused.error?.code,
  approved: answered?.approved,
  closed: String(stream.data).includes('event: closed'),
  answer: result && 'answer' in result ? result.answer : undefined,
  listed: listed?.sessions.some(({ sessionId }) => sessionId === started.sessionId),
}));
`;

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
  await writeFile(join(folder, 'program.ts'), program);
  const { bin } = await import(join(generator ?? '', 'package.json'), { with: { type: 'json' } }).then(
    ({ default: read }: { default: { bin: Record<string, string> } }) => read,
  );
  const cli = join(generator ?? '', bin['openapi-typescript'] ?? '');
  await run(process.execPath, [
    cli,
    join(root, 'schemas/openapi.json'),
    '--output',
    join(folder, 'holdfast.ts'),
  ]);
}

describe.skipIf(lack)(`a generated client${lack === undefined ? '' : ` (skipped: ${lack})`}`, () => {
  test(
    '[HTTP-07c] compiles, and starts, approves, follows and reads a session',
    { timeout: 120_000 },
    async () => {
      const folder = await temporaryFolder();
      await write(folder);
      const compiler = join(root, 'node_modules/.bin/tsc');
      const compiled = await run(compiler, ['--project', folder]).catch(({ stdout }: { stdout: string }) => ({
        stdout,
      }));
      expect(compiled.stdout).toBe('');
      expect(existsSync(join(folder, 'holdfast.ts'))).toBe(true);
      const bench = await createSessionBench({
        tools: [fakeTool(() => ({ text: 'changed' }), { name: 'change', effect: 'once' })],
        model: callsFirst([{ tool: 'change' }], 'Done.'),
      });
      const { url } = await startTestGateway({ gateway: withTokens, client: bench.holdfast });
      const { stdout } = await run(process.execPath, [
        join(folder, 'program.ts'),
        url,
        tokens.starter,
        tokens.mara,
      ]);
      expect(JSON.parse(stdout)).toEqual({
        wrong: 'InvalidInput',
        tool: 'change',
        refused: 'RightMissing',
        approved: true,
        closed: true,
        answer: 'Done.',
        listed: true,
      });
    },
  );
});
