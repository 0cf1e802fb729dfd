// The client against servers that others wrote: server-everything over stdio and streamable HTTP, server-filesystem.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/processes/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { callTool, collect, everything, filesystem } from '../../support/mcp-servers.ts';
import { temporaryFolder } from '../../support/tool-calls.ts';

test('[TOOL-01b] a tool of an MCP server is once by default, and what it annotates only where the config trusts the server', async () => {
  const folder = await temporaryFolder();
  const server = filesystem(folder);
  const { tool, tools } = await collect({ fs: server, trusted: { ...server, trustAnnotations: true } });
  const effects = (prefix: string) =>
    new Set(tools.filter(({ spec }) => spec.name.startsWith(prefix)).map(({ spec }) => spec.effect));
  expect(effects('mcp__fs__')).toEqual(new Set(['once']));
  expect(tool('mcp__trusted__read_text_file').spec.effect).toBe('read');
  expect(tool('mcp__trusted__create_directory').spec.effect).toBe('idempotent');
  expect(tool('mcp__trusted__edit_file').spec.effect).toBe('once');
  expect(tool('mcp__fs__read_text_file').spec).toMatchObject({
    source: 'mcp:fs',
    description: expect.stringMatching(/^From the MCP server "fs": Read the complete contents/),
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  });
});

test('server-filesystem reads, writes and refuses', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'shop.log'), '14:04 pool timeout\n');
  const { tool } = await collect({ fs: filesystem(folder) });
  const read = await callTool(tool('mcp__fs__read_text_file'), { path: join(folder, 'shop.log') });
  expect(read).toMatchObject({ isError: false, text: '14:04 pool timeout\n' });
  const write = await callTool(tool('mcp__fs__write_file'), { path: join(folder, 'a.txt'), content: 'b' });
  expect(write.isError).toBe(false);
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('b');
  const refused = await callTool(tool('mcp__fs__read_text_file'), { path: '/etc/hostname' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Access denied') });
});

test('[MSG-03c] server-everything: text, an image in the store, an embedded resource, structured content, progress', async () => {
  const { tool } = await collect({ all: everything() });
  const echo = await callTool(tool('mcp__all__echo'), { message: 'hello' });
  expect(echo).toMatchObject({ isError: false, text: 'Echo: hello' });
  const image = await callTool(tool('mcp__all__get-tiny-image'));
  const part = image.content.find(({ type }) => type === 'image');
  expect(part).toMatchObject({
    type: 'image',
    mediaType: 'image/png',
    artifactId: expect.stringMatching(/^image-/),
  });
  const bytes = await image.bench.deps.artifacts.get(
    'session-1',
    part?.type === 'image' ? part.artifactId : '',
  );
  expect(bytes && Buffer.from(bytes).subarray(1, 4).toString()).toBe('PNG');
  const resource = await callTool(tool('mcp__all__get-resource-reference'), {
    resourceType: 'Text',
    resourceId: 1,
  });
  expect(resource.text).toMatch(/\[resource demo:\/\/resource\/.*\]\nResource 1/);
  const weather = await callTool(tool('mcp__all__get-structured-content'), { location: 'New York' });
  expect(weather.text).toContain('"conditions"');
  const heard: unknown[] = [];
  const long = tool('mcp__all__trigger-long-running-operation');
  await callTool(
    {
      ...long,
      run: (args, context) => long.run(args, { ...context, onUpdate: (partial) => void heard.push(partial) }),
    },
    { duration: 0.2, steps: 2 },
  );
  expect(heard).toContain('1/2');
});

async function everythingOverHttp(port: number): Promise<{ url: string; server: ChildProcess }> {
  const [program = '', script = ''] = everything().command;
  const server = spawn(program, [script, 'streamableHttp'], {
    env: { PATH: '', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  for await (const text of server.stderr ?? []) if (String(text).includes(String(port))) break;
  return { url: `http://127.0.0.1:${port}/mcp`, server };
}

test('server-everything over streamable HTTP', async () => {
  const { url } = await everythingOverHttp(await freePort());
  const { tool } = await collect({ all: { url } });
  expect(await callTool(tool('mcp__all__echo'), { message: 'far' })).toMatchObject({ text: 'Echo: far' });
});

test('[FAULT-83] an HTTP server that is gone is an error result, and the next one at its place is used', async () => {
  const port = await freePort();
  const { url, server } = await everythingOverHttp(port);
  const { tool } = await collect({ all: { url } });
  const echo = tool('mcp__all__echo');
  expect((await callTool(echo, { message: 'one' })).text).toBe('Echo: one');
  server.kill('SIGKILL');
  await once(server, 'exit');
  expect(await callTool(echo, { message: 'two' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('The MCP server "all"'),
  });
  await everythingOverHttp(port);
  expect((await callTool(echo, { message: 'three' })).text).toBe('Echo: three');
});
