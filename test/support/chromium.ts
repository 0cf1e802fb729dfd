// A real browser for pages that people read, over its own protocol: no package. Absent where none is installed.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
export const chromium = names.find((name) => spawnSync(name, ['--version']).status === 0);
export const chromiumMissing = chromium === undefined ? ' (no Chromium here)' : '';

export type View = { width: number; height?: number; dark?: boolean; print?: boolean };

export type Browser = {
  /** Shows the page, its HTML or an address, and gives what `script` gives there, or its promise. */
  ask<T>(page: string, view: View, script: string): Promise<T>;
  /** A picture of `height` of the page, from `y` on, as base64; after the promise of `ready`, a script. */
  picture(page: string, view: View, part: { y: number; height: number }, ready?: string): Promise<string>;
  close(): Promise<void>;
};

type Answer = { id?: number; result?: Record<string, unknown>; error?: { message: string }; method?: string };

export async function openBrowser(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-chromium-'));
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
  const child = spawn(chromium ?? '', [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let address = '';
  for await (const line of createInterface(child.stderr)) {
    address = /ws:\/\/\S+/.exec(line)?.[0] ?? '';
    if (address !== '') break;
  }
  child.stderr.resume();
  const { host } = new URL(address);
  const opened = await fetch(`http://${host}/json/new?about:blank`, { method: 'PUT' });
  const { webSocketDebuggerUrl } = (await opened.json()) as { webSocketDebuggerUrl: string };
  const socket = new WebSocket(webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: Answer) => void>();
  let loaded = (): void => {};
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.method === 'Page.loadEventFired') loaded();
    waiting.get(answer.id ?? 0)?.(answer);
  });
  await once(socket, 'open');
  let lastId = 0;
  const send = async (method: string, params: object = {}): Promise<Record<string, unknown>> => {
    const id = (lastId += 1);
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
  await send('Page.enable');
  const show = async (
    page: string,
    { width, height = 900, dark = false, print = false }: View,
  ): Promise<void> => {
    await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
    await send('Emulation.setEmulatedMedia', {
      media: print ? 'print' : 'screen',
      features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }],
    });
    const ready = new Promise<void>((resolve) => (loaded = resolve));
    const url = page.startsWith('http')
      ? page
      : `data:text/html;charset=utf-8;base64,${Buffer.from(page).toString('base64')}`;
    await send('Page.navigate', { url });
    await ready;
  };
  return {
    async ask<T>(page: string, view: View, script: string): Promise<T> {
      await show(page, view);
      const { result } = await send('Runtime.evaluate', {
        expression: script,
        returnByValue: true,
        awaitPromise: true,
      });
      return (result as { value: T }).value;
    },
    async picture(page, view, part, ready) {
      await show(page, view);
      if (ready !== undefined) await send('Runtime.evaluate', { expression: ready, awaitPromise: true });
      const clip = { x: 0, width: view.width, scale: 1, ...part };
      const { data } = await send('Page.captureScreenshot', { captureBeyondViewport: true, clip });
      return String(data);
    },
    async close() {
      socket.close();
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
