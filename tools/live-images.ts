// Makes the pictures of the live view in docs/images: the demo runs on a pseudo terminal, and a terminal in Chromium
// draws the same bytes. Run it after a change of the view: node tools/live-images.ts. Then make them small:
// pngquant --nofs --force --ext .png 32 docs/images/live-*.png
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { cacheFolder, readEnvironment } from '../src/config/environment.ts';
import { type Browser, openBrowser } from '../test/support/chromium.ts';
import { type Size, openPty } from '../test/support/pty.ts';

type Scene = Size & { name: string; fontSize: number; at: RegExp; type?: string; until?: RegExp };

const root = join(import.meta.dirname, '..');
const scenes: Scene[] = [
  { name: 'live-80x24', columns: 80, rows: 24, fontSize: 15, at: /Run exactly this\?[^]*\n> / },
  {
    name: 'live-200x50',
    columns: 200,
    rows: 50,
    fontSize: 10,
    at: /turn 3 · \d+ s http_get/,
    type: '/',
    until: /\/abort/,
  },
];

/** The demo's output until the screen matches the scene. Ends the demo. */
async function play({ columns, rows, at, type, until }: Scene): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-'));
  // commands of bash see only folders that others may enter
  await chmod(folder, 0o755);
  const cwd = join(folder, 'shop');
  await mkdir(cwd);
  // the way npm links it, so that printed commands begin with its name, and the picture shows no path of this machine
  await symlink(join(root, 'bin/holdfast.js'), join(folder, 'holdfast'));
  await symlink(cacheFolder(readEnvironment()), join(folder, 'cache'));
  const { OPENAI_API_KEY: _, ANTHROPIC_API_KEY: __, HOLDFAST_MODEL: ___, ...inherited } = readEnvironment();
  const env = { ...inherited, HOLDFAST_CACHE_DIR: join(folder, 'cache') };
  const command = [process.execPath, join(folder, 'holdfast'), 'demo', '--no-wait'];
  const { child, stdin, stdout } = openPty(command, { columns, rows, cwd, env });
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const screen = (): string =>
    Array.from(
      { length: rows },
      (_row, index) =>
        terminal.buffer.active.getLine(terminal.buffer.active.baseY + index)?.translateToString(true) ?? '',
    ).join('\n');
  let bytes = '';
  let typed = type === undefined;
  let isDone = false;
  stdout.setEncoding('utf8').on('data', (text: string) => {
    if (isDone) return;
    bytes += text;
    terminal.write(text, () => {
      if (!typed && at.test(screen())) {
        typed = true;
        stdin.write(type ?? '');
      }
      if (isDone || !typed || !(until ?? at).test(screen())) return;
      isDone = true;
      // ends everything that the demo has started
      stdin.write('\u0003');
    });
  });
  await once(child, 'close');
  await rm(folder, { recursive: true, force: true });
  if (!isDone) throw new Error(`The demo ended without ${until ?? at} on its screen.`);
  return bytes;
}

function pageOf(bytes: string, { columns, rows, fontSize }: Scene): string {
  const folder = join(root, 'node_modules/@xterm/xterm');
  const [library, style] = ['lib/xterm.js', 'css/xterm.css'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const theme = {
    background: '#16181d',
    foreground: '#d8dbe2',
    cyan: '#6cc7d8',
    yellow: '#e2b657',
    green: '#82c98a',
    red: '#e5736f',
    magenta: '#c493d6',
  };
  const options = {
    cols: columns,
    rows,
    scrollback: 0,
    cursorBlink: false,
    cursorInactiveStyle: 'block',
    allowProposedApi: true,
    fontFamily: 'DejaVu Sans Mono',
    fontSize,
    lineHeight: 1.2,
    theme,
  };
  return `<!doctype html><meta charset="utf-8"><style>${style} body { margin: 0; padding: 12px; background: ${theme.background}; }</style>
<div id="terminal"></div><script>${library}</script><script>
const terminal = new Terminal(${JSON.stringify(options)});
terminal.open(document.getElementById('terminal'));
terminal._core.writeSync(${JSON.stringify(bytes).replaceAll('</', '<\\/')});
</script>`;
}

async function takePicture(browser: Browser, scene: Scene): Promise<void> {
  const page = pageOf(await play(scene), scene);
  const measure = `JSON.stringify(document.querySelector('.xterm-screen').getBoundingClientRect())`;
  const { width, height } = JSON.parse(
    await browser.ask<string>(page, { width: 2_400, height: 1_400 }, measure),
  ) as { width: number; height: number };
  const view = { width: Math.ceil(width) + 24, height: Math.ceil(height) + 24 };
  const picture = Buffer.from(await browser.picture(page, view, { y: 0, height: view.height }), 'base64');
  const file = join(root, `docs/images/${scene.name}.png`);
  writeFileSync(file, picture);
  process.stdout.write(`${file}: ${view.width}x${view.height}, ${Math.round(picture.length / 1_024)} KiB\n`);
}

const browser = await openBrowser();
for (const scene of scenes) await takePicture(browser, scene);
await browser.close();
