// Servers that die, hang, lie, flood and change: each is one error result, and the worker is well.
import { expect, test } from 'vitest';
import { callTool, collect, hostileServer, isRunning } from '../../support/mcp-servers.ts';
import { toolBench } from '../../support/tool-calls.ts';
import { until } from '../../support/until.ts';

/** A server that is connected: its next call has the whole of its time limit. */
async function connected(way: string, timeoutMs: number) {
  const server = await hostileServer(way, { timeoutMs });
  const bench = await collect({ shop: server.settings });
  const tool = bench.tool('mcp__shop__act');
  await callTool(tool);
  const starts = () => server.lines().filter((line) => line === 'notifications/initialized').length;
  await until('the connection for calls, beside that for the list', () => starts() === 2);
  return { ...server, tool };
}

test('[FAULT-83] a server that dies in a call is an error result with its last words; the next call has a new one', async () => {
  const { settings, lines, pids } = await hostileServer('die');
  const { tool } = await collect({ shop: settings });
  for (const started of [2, 3]) {
    const result = await callTool(tool('mcp__shop__act'));
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^The MCP server "shop" failed: .*"panic: the pool is gone".* The call may have taken effect: verify/,
      ),
    });
    expect(pids()).toHaveLength(started);
  }
  expect(lines().filter((line) => line === 'call act')).toHaveLength(2);
});

test('[FAULT-83] a server that hangs ends at the time limit, and is told that the call is cancelled', async () => {
  const { tool, lines, pids } = await connected('hang', 300);
  const result = await callTool(tool);
  expect(result).toMatchObject({
    isError: true,
    text: expect.stringContaining('mcp__shop__act did not finish within 300 ms. It may have taken effect'),
  });
  await until('the cancellation', () => lines().includes('notifications/cancelled'));
  // it answers a ping, so the same process gets the next call
  await callTool(tool);
  expect(pids()).toHaveLength(2);
});

test('[FAULT-83] a server that answers nothing any more is started anew for the next call', async () => {
  const { tool, pids, lines } = await connected('deaf', 300);
  while (!lines().includes('call act')) await callTool(tool);
  expect(pids()).toHaveLength(2);
  const next = await callTool({
    ...tool,
    spec: { ...tool.spec, timeoutMs: 20_000 },
    run: async (_args, context) => {
      const short = AbortSignal.any([context.signal, AbortSignal.timeout(8_000)]);
      return tool.run({}, { ...context, signal: short });
    },
  });
  expect(next.isError).toBe(true);
  expect(pids()).toHaveLength(3);
});

test('an answered call, and a list, are not cancelled afterwards', async () => {
  const { settings, lines } = await hostileServer('plain');
  const { tool } = await collect({ shop: settings });
  const stop = new AbortController();
  const act = tool('mcp__shop__act');
  await callTool({ ...act, run: (args, context) => act.run(args, { ...context, signal: stop.signal }) });
  stop.abort();
  // a later message has come, so an earlier one would be there
  await callTool(act);
  expect(lines()).not.toContain('notifications/cancelled');
});

test('a stop reaches the server, and the call ends', async () => {
  const { settings, lines } = await hostileServer('hang');
  const { tool } = await collect({ shop: settings });
  const bench = await toolBench(tool('mcp__shop__act'), { policy: [{ tool: '*', decision: 'allow' }] });
  const call = bench.run({}).catch((error: unknown) => error);
  await until('the call', () => lines().includes('call act'));
  bench.environment.cancel();
  await call;
  await until('the cancellation', () => lines().includes('notifications/cancelled'));
});

test.each([
  ['text', /gave no answer: the newest trouble was "a line that is no message: </],
  ['wrong-id', /gave no answer: the newest trouble was "Received a response for an unknown message ID/],
])(
  '[FAULT-83] a server that lies (%s) ends at the time limit, and the result says what it sent',
  async (way, text) => {
    const { tool } = await connected(way, 1_000);
    expect(await callTool(tool)).toMatchObject({ isError: true, text: expect.stringMatching(text) });
  },
);

test('[FAULT-83] a result of another form is an error result at once', async () => {
  const { settings } = await hostileServer('no-result');
  const { tool } = await collect({ shop: settings });
  expect(await callTool(tool('mcp__shop__act'))).toMatchObject({
    isError: true,
    text: expect.stringContaining('its answer is not what the protocol asks for'),
  });
});

test.each(['big', 'endless'])(
  '[FAULT-83] more than 5 MB (%s) is an error result, and the server is started anew',
  async (way) => {
    const { settings, pids } = await hostileServer(way);
    const { tool } = await collect({ shop: settings });
    expect(await callTool(tool('mcp__shop__act'))).toMatchObject({
      isError: true,
      text: expect.stringContaining('its answer has more than 5 MB'),
    });
    await callTool(tool('mcp__shop__act'));
    expect(pids()).toHaveLength(3);
  },
);

test('[FAULT-83] [TOOL-03a] a list that changes in a run: other tools stay out, and a tool that is another one now is not called', async () => {
  const { settings, lines } = await hostileServer('change');
  const { tool, tools, logged } = await collect({ shop: settings });
  expect(await callTool(tool('mcp__shop__act'))).toMatchObject({ isError: false, text: 'done' });
  await until('the notice', () => logged.length > 0);
  expect(logged.join()).toContain('has changed its list of tools');
  expect(await callTool(tool('mcp__shop__act'))).toMatchObject({
    isError: true,
    text:
      'Not called: the MCP server "shop" has changed "act" (description) since it was accepted. A person can look at it ' +
      'and accept it with "holdfast mcp accept shop act", for the next worker.',
  });
  expect(lines().filter((line) => line === 'call act')).toHaveLength(1);
  expect(tools).toHaveLength(1);
});

test('[FAULT-83] a tool that the server does not offer any more is not called', async () => {
  const { settings, lines } = await hostileServer('vanish');
  const { tool, logged } = await collect({ shop: settings });
  await callTool(tool('mcp__shop__act'));
  await until('the notice', () => logged.length > 0);
  expect(await callTool(tool('mcp__shop__act'))).toMatchObject({
    isError: true,
    text: 'Not called: the MCP server "shop" does not offer "act" any more.',
  });
  expect(lines().filter((line) => line === 'call act')).toHaveLength(1);
});

test('a server gets nothing that it asks for: no model, no roots, no questions to a person', async () => {
  const { settings, lines } = await hostileServer('ask');
  const { tool } = await collect({ shop: settings });
  const { text } = await callTool(tool('mcp__shop__act'));
  expect(JSON.parse(text)).toEqual(
    Array.from({ length: 3 }, () => ({ code: -32_601, message: 'Method not found' })),
  );
  expect(lines()).toContain('capabilities {}');
});

test('[FAULT-83] a server that is dead, mute or no MCP server at the start costs its tools, and says why', async () => {
  const [mute, noMcp, good] = await Promise.all([
    hostileServer('mute'),
    hostileServer('no-mcp'),
    hostileServer('plain'),
  ]);
  const { tools, warnings, isAbsent } = await collect({
    mute: mute.settings,
    other: noMcp.settings,
    good: good.settings,
    gone: { command: ['/nowhere/server'] },
    far: { url: 'http://127.0.0.1:9/mcp' },
  });
  expect(tools.map(({ spec }) => spec.name)).toEqual(['mcp__good__act']);
  const text = warnings.join('\n');
  expect(text).toMatch(
    /MCP server mute: its tools are absent, because it failed: it did not answer within 10 s/,
  );
  expect(text).toMatch(
    /MCP server other: its tools are absent, because it failed: it did not answer within 10 s; .*Welcome/,
  );
  expect(text).toMatch(
    /MCP server gone: its tools are absent, because it failed: .*(\/nowhere\/server|ENOENT)/,
  );
  expect(text).toMatch(/MCP server far: its tools are absent, because it failed: .*fetch failed/);
  expect([isAbsent('mcp__mute__act'), isAbsent('mcp__good__act'), isAbsent('mcp__good__typo')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('a list without an end is read so far and no further', async () => {
  const { settings } = await hostileServer('pages');
  const { servers, warnings } = await collect({ shop: settings });
  expect(servers[0]?.isCut).toBe(true);
  expect(warnings.join()).toContain('the rest was not read');
});

test('what a server writes for people is logged, bounded', async () => {
  const { settings } = await hostileServer('chatty');
  const { tool, logged } = await collect({ shop: settings });
  expect((await callTool(tool('mcp__shop__act'), { text: 'x'.repeat(1_000) })).text).toBe('done');
  await until('the log', () => logged.length === 101);
  expect(logged[0]).toMatch(/^MCP server shop: line 0 x+/);
  expect(Math.max(...logged.map((line) => line.length))).toBeLessThan(600);
  expect(logged.at(-1)).toContain('left out');
});

test('a server gets no environment of the worker but a few harmless variables, and what its settings resolve to', async () => {
  process.env['HOLDFAST_TEST_SECRET'] = 'of-the-worker';
  const { settings } = await hostileServer('environment', { env: { TOKEN: 'secret://shop', PLAIN: 'x' } });
  const { tool } = await collect(
    { shop: settings },
    { resolve: (text) => Promise.resolve(text.replace('secret://shop', 'resolved-value')) },
  );
  delete process.env['HOLDFAST_TEST_SECRET'];
  const { text } = await callTool(tool('mcp__shop__act'));
  const own = JSON.parse(text);
  expect(own).toMatchObject({ TOKEN: 'resolved-value', PLAIN: 'x' });
  const harmless = new Set(['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'TOKEN', 'PLAIN']);
  expect(Object.keys(own).filter((name) => !harmless.has(name))).toEqual([]);
});

test('a secret reference that nobody resolves fails the server; it is not sent as it is', async () => {
  const { settings, pids } = await hostileServer('plain', { env: { TOKEN: 'secret://shop' } });
  const { warnings } = await collect({ shop: settings });
  expect(warnings.join()).toContain('a secret reference (secret://...) of its settings was not resolved');
  expect(pids()).toEqual([]);
});

test('calls that come together after a break share one new connection', async () => {
  const { settings, pids } = await hostileServer('die');
  const { tool } = await collect({ shop: settings });
  await callTool(tool('mcp__shop__act'));
  const act = tool('mcp__shop__act');
  // in one turn of the event loop, so that each finds the broken connection
  const together = await callTool({
    ...act,
    run: async (args, context) => {
      const ended = await Promise.allSettled([1, 2, 3].map(async () => act.run(args, context)));
      return { text: ended.map(({ status }) => status).join(' ') };
    },
  });
  expect(together.text).toBe('rejected rejected rejected');
  expect(pids()).toHaveLength(3);
  await until('the end of every process', () => pids().every((pid) => !isRunning(pid)));
});

test('close ends a server that ignores the end of its input and SIGTERM', async () => {
  const { settings, lines, pids } = await hostileServer('stubborn');
  const collected = await collect({ shop: settings });
  expect((await callTool(collected.tool('mcp__shop__act'), { text: 'a' })).text).toBe('call 1: a');
  await collected.close();
  expect(lines()).toContain('SIGTERM');
  await until('the end of every process', () => pids().every((pid) => !isRunning(pid)));
});
