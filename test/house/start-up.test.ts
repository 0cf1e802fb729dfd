// What a start does without: large libraries that only some calls need are loaded by the first of them.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Modules that a fresh process asks for while it imports this one. */
async function modulesOf(file: string): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({ resolve: (name, context, next) => (seen.add(name), next(name, context)) });
    await import(${JSON.stringify(resolve(root, file))});
    process.stdout.write(JSON.stringify([...seen]));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

test('a worker starts without the SDKs of vendors, their HTTP agents, and what only telemetry needs', async () => {
  const modules = await modulesOf('src/worker.ts');
  expect(modules).toContain('@temporalio/worker');
  for (const name of [
    'openai',
    '@anthropic-ai/sdk',
    'request-filtering-agent',
    '@vscode/ripgrep',
    '@aws-sdk/client-s3',
    './health.ts',
    './tracing.ts',
    '@opentelemetry/api',
  ]) {
    expect(modules, name).not.toContain(name);
  }
});

test('the command line starts without client and worker', async () => {
  const modules = await modulesOf('src/cli/main.ts');
  expect(modules).toContain('commander');
  for (const name of [
    '@temporalio/client',
    '@temporalio/worker',
    'openai',
    'ajv/dist/2020.js',
    'node:http',
    'wrap-ansi',
    'marked',
    '@clack/prompts',
  ]) {
    expect(modules, name).not.toContain(name);
  }
});
